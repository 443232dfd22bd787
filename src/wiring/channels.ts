import { Counter, Histogram, type Registry } from 'prom-client';
import type { ConfigNeed } from '../config.ts';
import type { DeliverDeps } from '../notifications/deliver.ts';
import { keptContents } from '../notifications/kept-contents.ts';
import type { Channel } from '../notifications/trigger.ts';
import { signedLinks } from '../people/links.ts';
import type { ProcessContext } from '../process.ts';
import { sharedPermits, unlimited } from '../queues/permits.ts';
import { linkSecret } from '../stores/secret-store.ts';
import { ADAPTERS } from './adapters.ts';
import { queueSettings } from './queues.ts';
import type { Stores } from './stores.ts';

type Context<N extends ConfigNeed> = ProcessContext<N>;

/** Everything one channel's worker needs; null where the channel has no settings. */
export async function openChannel(
  context: Context<'mongo' | 'redis' | 'links' | 'email' | 'sms' | 'push'>,
  channel: Channel,
  stores: Stores,
): Promise<Omit<DeliverDeps, 'isStopping'> | null> {
  const adapter = await ADAPTERS[channel](context.config, stores);
  if (!adapter) return null;
  const { config, log, metrics } = context;
  context.own({ name: `channel ${channel}`, close: adapter.close, closeWithinMs: 5_000 });
  const perSecond = config.rate[channel];
  const permits = perSecond === null ? unlimited : sharedPermits(queueSettings(config), channel, perSecond);
  context.own({ name: 'permits', close: permits.close });
  const { settled, age } = deliveryMetrics(metrics);
  return {
    ...stores,
    adapter,
    links: signedLinks(await linkSecret(stores.database)),
    leaseMs: config.leaseMs,
    publicUrl: config.links.publicUrl,
    contentOf: keptContents(),
    organizerAddress: config.email ? bareAddress(config.email.from) : 'no-reply@invalid',
    takePermits: permits.take,
    random: Math.random,
    oneAtATime: inTurn(),
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

/** Runs what it is given one after another. */
function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    last = turn.catch(() => {});
    return turn;
  };
}
