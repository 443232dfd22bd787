import { setTimeout as delay } from 'node:timers/promises';
import { defineWorker } from '../src/app/define-worker.ts';
import { loop } from '../src/app/process.ts';
import { gaugeDepths, openQueues } from '../src/app/queues.ts';
import { openRestoreGuard } from '../src/app/restore-guard.ts';
import { seatRounds } from '../src/app/seats.ts';
import { openStores } from '../src/app/stores.ts';
import { PRIORITIES } from '../src/core/priority.ts';
import { reconcileDeliveries } from '../src/notifications/delivery/reconcile.ts';
import { refillQueues } from '../src/notifications/fan-out/enqueue.ts';
import { relayFacts, reopenLostFacts } from '../src/outbox/relay.ts';

const BACKLOG_MS = 50;

/**
 * From MongoDB to Redis: publishes facts that their own process could not publish, refills the channels' queues, and finds
 * lost wake-ups. Any number of copies may run.
 */
export const relay = defineWorker({
  name: 'relay',
  needs: ['mongo', 'redis'],
  async start(context) {
    const { config, log, own } = context;
    const stores = await openStores(context);
    const queues = await openQueues(context);
    const { guard } = await openRestoreGuard(context);
    const deps = { ...stores, ...queues };
    gaugeDepths(context, queues.deliveryQueue.depth);
    const report = ({ id, to }: { id: string; to: string }) => log.warn({ deliveryId: id, to }, 'delivery.reconciled');
    const every = { everyMs: config.tickMs, log };
    // One loop per priority, so that urgent facts never wait for a batch of bulk facts.
    for (const priority of PRIORITIES) {
      let hasBacklog = false;
      const publish = async () => {
        hasBacklog = await relayFacts(deps, priority);
      };
      const untilNext = (ms: number, signal: AbortSignal) => delay(hasBacklog ? BACKLOG_MS : ms, undefined, { signal });
      own(loop({ name: `${priority} facts`, ...every, work: guard(publish), waitFor: untilNext }));
    }
    let refilled = 0;
    const refill = async () => {
      refilled = await refillQueues(deps);
    };
    const pause = (ms: number, signal: AbortSignal) => delay(refilled > 0 ? BACKLOG_MS : ms, undefined, { signal });
    own(loop({ name: 'refill', ...every, work: guard(refill), waitFor: pause }));
    own(loop({ name: 'lost facts', ...every, work: guard(() => reopenLostFacts(deps)) }));
    own(loop({ name: 'seats', ...every, everyMs: config.sweepMs, work: seatRounds(context, stores) }));
    own(
      loop({
        name: 'reconciler',
        ...every,
        everyMs: config.sweepMs,
        work: guard(() => reconcileDeliveries({ ...deps, leaseMs: config.leaseMs, report })),
      }),
    );
  },
});
