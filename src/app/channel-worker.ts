import type { Priority } from '../core/priority.ts';
import { resolveUnknown } from '../notifications/delivery/reconcile.ts';
import type { QueuedChannel } from '../people/channels.ts';
import { consumeBothPriorities } from '../queues/consumer.ts';
import { QUEUE_OF } from '../queues/names.ts';
import { type DeliveryPayload, readDeliveryPayload } from '../queues/payloads.ts';
import { openChannel } from './channels.ts';
import { CHANNEL_NEEDS } from './config/config.ts';
import { defineWorker, type Worker } from './define-worker.ts';
import { openLoops } from './loop.ts';
import { openQueues } from './queues.ts';
import { openRestoreGuard } from './restore-guard.ts';
import { openStores } from './stores.ts';
import { deliverTraced } from './tracing/traced.ts';

const NEEDS = ['mongo', 'redis', 'links', ...CHANNEL_NEEDS] as const;

/** The worker of one channel: leases deliveries of its queue and sends them. */
export function defineChannelWorker(channel: QueuedChannel): Worker<(typeof NEEDS)[number]> {
  const queue = QUEUE_OF[channel];
  return defineWorker({
    name: queue,
    needs: NEEDS,
    async start(context) {
      const { config, log, own, tracer } = context;
      const stores = await openStores(context);
      const { settings } = await openQueues(context);
      const opened = await openChannel(context, channel, stores);
      if (!opened) {
        log.warn({ channel }, 'channel.off');
        return;
      }
      const { guardJobs, isUnchanged } = await openRestoreGuard(context);
      const deps = { ...opened, isUnchanged };
      openLoops(context, stores).everySweep(
        'unknown',
        guardJobs(async () => void (await resolveUnknown(deps))),
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
          deps.stop();
          return consumer.close();
        },
        // Waits until every result is recorded; messages without an answer by then are recorded as unknown.
        closeWithinMs: config.shutdownMs,
      });
    },
  });
}
