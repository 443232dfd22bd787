import { setTimeout as delay } from 'node:timers/promises';
import type { ConfigNeed } from '../config.ts';
import { oneAtATime } from '../kernel/one-at-a-time.ts';
import { together } from '../kernel/together.ts';
import type { DeliverDeps } from '../notifications/deliver.ts';
import { keptContents } from '../notifications/kept-contents.ts';
import type { Channel } from '../notifications/trigger.ts';
import { signedLinks } from '../people/links.ts';
import type { ProcessContext } from '../process.ts';
import { type Permits, sharedPermits } from '../queues/permits.ts';
import { linkSecret } from '../stores/secret-store.ts';
import { ADAPTERS, texts } from './adapters.ts';
import { deliveryReport } from './delivery-report.ts';
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
  const { config, metrics } = context;
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
  // Each group at work asks for its event before each chunk.
  const findMany = together((ids: readonly string[]) => stores.events.findMany(ids));
  return {
    ...stores,
    events: { ...stores.events, findMany, findAnywhere: async (id) => (await findMany([id]))[0] ?? null },
    adapter: { ...adapter, chunk: chunkOf(adapter, config.rate[channel]), textVersion: known.version },
    readyTexts: textsOf(known, stores.texts),
    links: signedLinks(await linkSecret(stores.database)),
    leaseMs: config.leaseMs,
    publicUrl: config.links.publicUrl,
    contentOf: keptContents(),
    organizerAddress: organizerAddressOf(config.email),
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
    report: deliveryReport(context, stores),
  };
}

/** At a low rate many messages together would keep what is urgent, or another tenant's, waiting for seconds. */
const chunkOf = ({ chunk }: { chunk: number }, perSecond: number | null): number =>
  perSecond === null ? chunk : Math.max(1, Math.min(chunk, Math.floor(perSecond / 20)));

/** The address calendars name as the organizer. */
export const organizerAddressOf = (email: { from: string } | null): string =>
  email ? bareAddress(email.from) : 'no-reply@invalid';

/** `a@b` of `Name <a@b>`. */
const bareAddress = (mailbox: string): string => /<([^<>]+)>\s*$/.exec(mailbox)?.[1] ?? mailbox.trim();
