import { deliver } from './notifications/deliver.ts';
import { settleUnknown } from './notifications/reconcile.ts';
import type { Channel } from './notifications/trigger.ts';
import { loop } from './process.ts';
import { consumeBothLanes } from './queues/both-lanes.ts';
import { type Lane, QUEUE_OF } from './queues/names.ts';
import { type DeliveryPayload, readDeliveryPayload } from './queues/payloads.ts';
import { openChannel } from './wiring/channels.ts';
import { openEpoch } from './wiring/epoch.ts';
import { openQueues } from './wiring/queues.ts';
import { openStores } from './wiring/stores.ts';
import { defineWorker, type Worker } from './worker.ts';

const NEEDS = ['mongo', 'redis', 'links', 'email', 'sms', 'push'] as const;

/** The worker of one channel: claims deliveries of its queue and hands them to the provider. */
export function defineChannelWorker(channel: Channel): Worker<(typeof NEEDS)[number]> {
  const queue = QUEUE_OF[channel];
  return defineWorker({
    name: queue,
    needs: NEEDS,
    async start(context) {
      const { config, log, own } = context;
      const stores = await openStores(context);
      const { settings } = await openQueues(context);
      const deps = await openChannel(context, channel, stores);
      if (!deps) {
        log.warn({ channel }, 'channel.off');
        return;
      }
      const { guard } = await openEpoch(context);
      const settle = guard(() => settleUnknown(deps));
      own(loop({ name: 'unknown', everyMs: config.sweepMs, work: settle, log }));
      const workOn = (lane: Lane) => async (payload: DeliveryPayload) => {
        const left = await deliver({ ...deps, urgent: lane === 'urgent' }, payload.ids);
        return left.length > 0 ? { ...payload, ids: left } : undefined;
      };
      const lanes = consumeBothLanes((lane) => ({
        queue,
        settings,
        concurrency: config.concurrency[channel],
        read: readDeliveryPayload,
        work: guard(workOn(lane)),
        log: (event, details) => log.warn(details, event),
      }));
      own({
        name: queue,
        ready: lanes.ready,
        close() {
          deps.stop();
          return lanes.close();
        },
        // What is on the wire has its time, as long as the whole process keeps within its own.
        closeWithinMs: Math.max(1_000, Math.min(config.sendTimeoutMs, config.shutdownMs - 5_000)),
      });
    },
  });
}
