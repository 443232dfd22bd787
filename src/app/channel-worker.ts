import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Priority } from '../core/priority.ts';
import { capacityOf } from '../notifications/delivery/capacity.ts';
import { deliver } from '../notifications/delivery/deliver.ts';
import { resolveUnknown } from '../notifications/delivery/reconcile.ts';
import type { QueuedChannel } from '../people/channels.ts';
import { type DeliveryPayload, QUEUE_OF, readDeliveryPayload } from '../queues/names.ts';
import { rateLimiter } from '../queues/rate-limiter.ts';
import { openAdapter } from './adapters.ts';
import { CHANNEL_NEEDS } from './config/config.ts';
import { defineWorker } from './define-worker.ts';
import { openLoops } from './loop.ts';
import type { ProcessDefinition } from './process.ts';
import { openQueues } from './queues.ts';
import { openRestoreGuard } from './restore-guard.ts';
import { openSending } from './sending.ts';
import { openStores } from './stores.ts';
import { deliverTraced } from './tracing/traced.ts';

const NEEDS = ['mongo', 'redis', 'links', ...CHANNEL_NEEDS] as const;

/** The worker of one channel: leases deliveries of its queue and sends them. Does nothing if the channel has no settings. */
export function defineChannelWorker(channel: QueuedChannel): ProcessDefinition<(typeof NEEDS)[number]> {
  return defineWorker({
    name: QUEUE_OF[channel],
    needs: NEEDS,
    async start(context) {
      const { config, own, tracer } = context;
      const stores = await openStores(context);
      const adapter = await openAdapter(context, channel, stores);
      if (!adapter) return;
      const { settings, consume } = await openQueues(context);
      const { guardJobs, isUnchanged } = await openRestoreGuard(context);
      const rate = config.rate[channel];
      const limiter = rate === null ? null : rateLimiter(settings, channel, rate);
      if (limiter) own({ name: 'rate limiter', close: limiter.close });
      const { beginStop, ...signals } = stopSignals(config.shutdownMs);
      const deps = {
        ...(await openSending(context, stores)),
        adapter,
        ...capacityOf(adapter, rate),
        ...signals,
        acquireRate: limiter?.acquire ?? (async () => true),
        isUnchanged,
      };
      const resolve = guardJobs(() => resolveUnknown(deps));
      openLoops(context, stores).everySweep('unknown', resolve);

      const work = async (payload: DeliveryPayload, priority: Priority) => {
        const job = { ids: payload.ids, urgent: priority === 'urgent' };
        const left = await (tracer ? deliverTraced(tracer, deps, job) : deliver(deps, job));
        return left.length > 0 ? { ...payload, ids: left } : undefined;
      };
      const { ready, close } = consume({
        queue: QUEUE_OF[channel],
        concurrency: config.concurrency[channel],
        read: readDeliveryPayload,
        work: guardJobs(work),
      });
      own({
        name: `queue ${QUEUE_OF[channel]}`,
        ready,
        close() {
          beginStop();
          // No message waits for the rate limiter any more; those in flight have passed it.
          void limiter?.close();
          return close();
        },
        // Waits until every result is recorded; messages without an answer by then are recorded as unknown.
        closeWithinMs: config.shutdownMs,
      });
    },
  });
}

/** The share of SHUTDOWN_MS to wait for messages in flight; the rest is for closing connections. */
const SENDING_ENDS_AT = 0.6;

/** The end of a worker: after `beginStop` it starts no message, and some time later it awaits no answer. */
function stopSignals(shutdownMs: number) {
  const stopping = new AbortController();
  const stopped = new AbortController();
  // Each job that waits and each message in flight listens, which is more than Node expects.
  setMaxListeners(0, stopping.signal, stopped.signal);
  return {
    pause: (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => {}),
    isStopping: () => stopping.signal.aborted,
    stopped: stopped.signal,
    beginStop() {
      stopping.abort();
      setTimeout(() => stopped.abort(), shutdownMs * SENDING_ENDS_AT).unref();
    },
  };
}
