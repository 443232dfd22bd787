import { setTimeout as delay } from 'node:timers/promises';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { ConfigNeed } from '../config.ts';
import { oneAtATime } from '../kernel/one-at-a-time.ts';
import type { DeliverDeps } from '../notifications/deliver.ts';
import { keptContents } from '../notifications/kept-contents.ts';
import type { Channel } from '../notifications/trigger.ts';
import { signedLinks } from '../people/links.ts';
import type { ProcessContext } from '../process.ts';
import { type Permits, sharedPermits } from '../queues/permits.ts';
import { linkSecret } from '../stores/secret-store.ts';
import { ADAPTERS, texts } from './adapters.ts';
import { textsOf } from './pinned-texts.ts';
import { gaugeProviders, troubles, watchProviders } from './provider-watch.ts';
import { queueSettings } from './queues.ts';
import type { Stores } from './stores.ts';

type Context<N extends ConfigNeed> = ProcessContext<N>;

/** Everything one channel's worker needs; null where the channel has no settings. */
export async function openChannel(
  context: Context<'mongo' | 'redis' | 'links' | 'email' | 'sms' | 'push'>,
  channel: Channel,
  stores: Stores,
): Promise<(DeliverDeps & { stop(): void }) | null> {
  const { config, log, metrics } = context;
  const stopping = new AbortController();
  const watch = watchProviders(context, channel);
  let permits: Permits | null = null;
  const adapter = await ADAPTERS[channel](config, stores, (notice) => {
    watch(notice);
    if (notice.what === 'throttled') void permits?.slow(notice.provider, notice.forMs, notice.share);
  });
  if (!adapter) return null;
  const known = await texts();
  gaugeProviders(metrics, channel, adapter);
  const details = () => troubles(adapter);
  context.own({ name: `channel ${channel}`, close: adapter.close, details, closeWithinMs: 5_000 });
  permits = sharedPermits({
    settings: queueSettings(config),
    name: channel,
    perSecond: config.rate[channel],
    onRest: (provider, forMs) => adapter.choice?.rest(provider, forMs),
  });
  const { take, close } = permits;
  context.own({ name: 'permits', close });
  const { settled, age } = deliveryMetrics(metrics);
  return {
    ...stores,
    adapter: { ...adapter, chunk: chunkOf(adapter, config.rate[channel]), textVersion: known.version },
    readyTexts: textsOf(known, stores.texts),
    links: signedLinks(await linkSecret(stores.database)),
    leaseMs: config.leaseMs,
    publicUrl: config.links.publicUrl,
    contentOf: keptContents(),
    organizerAddress: config.email ? bareAddress(config.email.from) : 'no-reply@invalid',
    takePermits: take,
    pause: (ms) => delay(ms, undefined, { signal: stopping.signal }).catch(() => {}),
    isStopping: () => stopping.signal.aborted,
    stop() {
      stopping.abort();
      // Nobody waits for a permit any more; what is on the wire needs none.
      void close();
    },
    random: Math.random,
    ifAlone: oneAtATime(),
    report(settlement, { trigger, created_at, attempts }) {
      settled.inc({ channel, trigger, to: settlement.to });
      if (settlement.to === 'sent')
        age.observe({ channel }, (stores.clock.now().getTime() - created_at.getTime()) / 1000);
      const { to, id: deliveryId } = settlement;
      const why = 'reason' in settlement ? settlement.reason : 'detail' in settlement ? settlement.detail : undefined;
      const level = to === 'sent' ? 'debug' : to === 'quarantined' ? 'error' : 'info';
      log[level]({ deliveryId, channel, trigger, attempts, why }, `delivery.${to}`);
    },
  };
}

/** At a low rate many messages together would keep what is urgent, or another tenant's, waiting for seconds. */
const chunkOf = ({ chunk }: { chunk: number }, perSecond: number | null): number =>
  perSecond === null ? chunk : Math.max(1, Math.min(chunk, Math.floor(perSecond / 20)));

function deliveryMetrics(metrics: Registry) {
  const name = 'schoolbell_deliveries_settled_total';
  const settled =
    (metrics.getSingleMetric(name) as Counter | undefined) ??
    new Counter({
      name,
      help: 'Ends of tries, by channel, trigger and what became of the delivery',
      labelNames: ['channel', 'trigger', 'to'],
      registers: [metrics],
    });
  const age =
    (metrics.getSingleMetric('schoolbell_delivery_seconds') as Histogram | undefined) ??
    new Histogram({
      name: 'schoolbell_delivery_seconds',
      help: 'From the delivery row to the provider’s acceptance',
      labelNames: ['channel'],
      buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 3600],
      registers: [metrics],
    });
  return { settled, age };
}

/** `a@b` of `Name <a@b>`. */
const bareAddress = (mailbox: string): string => /<([^<>]+)>\s*$/.exec(mailbox)?.[1] ?? mailbox.trim();
