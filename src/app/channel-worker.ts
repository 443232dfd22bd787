import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Priority } from '../core/priority.ts';
import { loadLinkSecret } from '../mongo/people/secret-store.ts';
import { capacityOf } from '../notifications/delivery/capacity.ts';
import { cachedContents } from '../notifications/delivery/compose.ts';
import { resolveUnknown } from '../notifications/delivery/reconcile.ts';
import { descriptorOf, type QueuedChannel } from '../people/channels.ts';
import { signedLinks } from '../people/links.ts';
import { pushServiceOf } from '../people/push-endpoint.ts';
import { consumeBothPriorities } from '../queues/consumer.ts';
import { type DeliveryPayload, QUEUE_OF, readDeliveryPayload } from '../queues/names.ts';
import { rateLimiter } from '../queues/rate-limiter.ts';
import { ADAPTERS, texts, textsOf } from './adapters.ts';
import { CHANNEL_NEEDS } from './config/config.ts';
import { defineWorker } from './define-worker.ts';
import { deliveryReport, gaugeProviders, troubles, watchProviders } from './delivery-report.ts';
import { openLoops } from './loop.ts';
import type { ProcessDefinition } from './process.ts';
import { openQueues } from './queues.ts';
import { openRestoreGuard } from './restore-guard.ts';
import { openStores } from './stores.ts';
import { deliverTraced } from './tracing/traced.ts';

const NEEDS = ['mongo', 'redis', 'links', ...CHANNEL_NEEDS] as const;

/** The share of SHUTDOWN_MS to wait for messages in flight; the rest is for closing connections. */
const SENDING_ENDS_AT = 0.6;

/** The worker of one channel: leases deliveries of its queue and sends them. Does nothing if the channel has no settings. */
export function defineChannelWorker(channel: QueuedChannel): ProcessDefinition<(typeof NEEDS)[number]> {
  const queue = QUEUE_OF[channel];
  return defineWorker({
    name: queue,
    needs: NEEDS,
    async start(context) {
      const { config, log, metrics, own, tracer } = context;
      const stores = await openStores(context);
      const { settings } = await openQueues(context);
      const hosts = config.push?.allowedHosts ?? [];
      const labelOf = (provider: string) =>
        descriptorOf(channel).reaches === 'subscription' ? pushServiceOf(provider, hosts) : provider;
      const adapter = await ADAPTERS[channel](config, stores, watchProviders(context, channel, labelOf));
      if (!adapter) {
        log.warn({ channel }, 'channel.off');
        return;
      }
      gaugeProviders(metrics, channel, adapter, labelOf);
      const details = () => troubles(adapter);
      own({ name: `channel ${channel}`, close: adapter.close, details, closeWithinMs: 1_000 });
      const perSecond = config.rate[channel];
      const limiter = rateLimiter(settings, channel, perSecond);
      own({ name: 'rate limiter', close: limiter.close });
      const { guardJobs, isUnchanged } = await openRestoreGuard(context);
      const known = await texts();
      const links = signedLinks(await loadLinkSecret(stores.database));
      const replyDomain = config.email?.replyDomain ?? null;
      const stopping = new AbortController();
      const stopped = new AbortController();
      // Each job that waits and each message in flight listens, which is more than Node expects.
      setMaxListeners(0, stopping.signal, stopped.signal);
      const deps = {
        ...stores,
        adapter,
        ...capacityOf(adapter, perSecond),
        readyTexts: textsOf(known, stores.texts),
        textVersion: known.version,
        links,
        leaseMs: config.leaseMs,
        publicUrl: config.links.publicUrl,
        contentOf: cachedContents(),
        replyAddress:
          replyDomain === null
            ? undefined
            : (...of: Parameters<typeof links.reply>) => `${links.reply(...of)}@${replyDomain}`,
        acquireRate: limiter.acquire,
        pause: (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => {}),
        isStopping: () => stopping.signal.aborted,
        isUnchanged,
        stopped: stopped.signal,
        random: Math.random,
        report: deliveryReport(context, stores),
      };
      openLoops(context, stores).everySweep(
        'unknown',
        guardJobs(() => resolveUnknown(deps)),
      );
      const workOn = (priority: Priority) => async (payload: DeliveryPayload) => {
        const left = await deliverTraced(tracer, { ...deps, urgent: priority === 'urgent' }, payload.ids);
        return left.length > 0 ? { ...payload, ids: left } : undefined;
      };
      const consumer = consumeBothPriorities((priority) => ({
        queue,
        settings,
        concurrency: config.concurrency[channel],
        read: readDeliveryPayload,
        work: guardJobs(workOn(priority)),
        log: (event, details) => log.warn(details, event),
      }));
      own({
        name: queue,
        ready: consumer.ready,
        close() {
          stopping.abort();
          setTimeout(() => stopped.abort(), config.shutdownMs * SENDING_ENDS_AT).unref();
          // No message waits for the rate limiter any more; those in flight have passed it.
          void limiter.close();
          return consumer.close();
        },
        // Waits until every result is recorded; messages without an answer by then are recorded as unknown.
        closeWithinMs: config.shutdownMs,
      });
    },
  });
}
