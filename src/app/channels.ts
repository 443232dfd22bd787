import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { loadLinkSecret } from '../mongo/people/secret-store.ts';
import { cachedContents } from '../notifications/content/content-cache.ts';
import { capacityOf, createTryLock } from '../notifications/delivery/capacity.ts';
import type { DeliverDeps } from '../notifications/delivery/deps.ts';
import { descriptorOf, type QueuedChannel } from '../people/channels.ts';
import { signedLinks } from '../people/links.ts';
import { pushServiceOf } from '../people/push-endpoint.ts';
import { rateLimiter } from '../queues/rate-limiter.ts';
import { ADAPTERS, texts, textsOf } from './adapters.ts';
import type { ChannelSection, ConfigNeed } from './config/config.ts';
import { type DeliveryReport, deliveryReport } from './delivery-report.ts';
import type { ProcessContext } from './process.ts';
import { gaugeProviders, troubles, watchProviders } from './provider-watch.ts';
import { queueSettings } from './queues.ts';
import type { Stores } from './stores.ts';

/** The share of SHUTDOWN_MS to wait for messages in flight; the rest is for closing connections. */
const SENDING_ENDS_AT = 0.6;

type Context<N extends ConfigNeed> = ProcessContext<N>;

/** The dependencies of one channel's worker; null if the channel has no settings. */
export async function openChannel(
  context: Context<'mongo' | 'redis' | 'links' | ChannelSection>,
  channel: QueuedChannel,
  stores: Stores,
): Promise<(Omit<DeliverDeps, 'isUnchanged'> & { report: DeliveryReport; stop(): void }) | null> {
  const { config, metrics } = context;
  const stopping = new AbortController();
  const stopped = new AbortController();
  // Each message in flight listens, which is more than Node expects.
  setMaxListeners(0, stopped.signal);
  const hosts = config.push?.allowedHosts ?? [];
  const labelOf = (provider: string) =>
    descriptorOf(channel).reaches === 'subscription' ? pushServiceOf(provider, hosts) : provider;
  const adapter = await ADAPTERS[channel](config, stores, watchProviders(context, channel, labelOf));
  if (!adapter) return null;
  const known = await texts();
  gaugeProviders(metrics, channel, adapter, labelOf);
  const details = () => troubles(adapter);
  context.own({ name: `channel ${channel}`, close: adapter.close, details, closeWithinMs: 1_000 });
  const links = signedLinks(await loadLinkSecret(stores.database));
  const replyDomain = config.email?.replyDomain ?? null;
  const perSecond = config.rate[channel];
  const limiter = rateLimiter({ settings: queueSettings(config), name: channel, perSecond });
  context.own({ name: 'rate limiter', close: limiter.close });
  return {
    ...stores,
    adapter: { ...adapter, textVersion: known.version },
    ...capacityOf(adapter, perSecond),
    readyTexts: textsOf(known, stores.texts),
    links,
    leaseMs: config.leaseMs,
    publicUrl: config.links.publicUrl,
    contentOf: cachedContents(),
    replyAddress: replyDomain === null ? undefined : (...of) => `${links.reply(...of)}@${replyDomain}`,
    acquireRate: limiter.acquire,
    pause: (ms) => delay(ms, undefined, { signal: stopping.signal }).catch(() => {}),
    isStopping: () => stopping.signal.aborted,
    stopped: stopped.signal,
    stop() {
      stopping.abort();
      setTimeout(() => stopped.abort(), config.shutdownMs * SENDING_ENDS_AT).unref();
      // No message waits for the rate limiter any more; those in flight have passed it.
      void limiter.close();
    },
    random: Math.random,
    runExclusively: createTryLock(),
    report: deliveryReport(context, stores),
  };
}
