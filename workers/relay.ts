import { defineWorker } from '../src/app/define-worker.ts';
import { loop, type NextRound } from '../src/app/loop.ts';
import { gaugeDepths, openQueues } from '../src/app/queues.ts';
import { openRestoreGuard } from '../src/app/restore-guard.ts';
import { seatRounds } from '../src/app/seats.ts';
import { openStores } from '../src/app/stores.ts';
import { PRIORITIES } from '../src/core/priority.ts';
import { reconcileDeliveries } from '../src/notifications/delivery/reconcile.ts';
import { refillQueues } from '../src/notifications/fan-out/enqueue.ts';
import { relayFacts, reopenLostFacts } from '../src/outbox/relay.ts';

/** With a backlog the next round starts immediately. */
const soonIf = (hasBacklog: boolean): NextRound | undefined => (hasBacklog ? { inMs: 50 } : undefined);

/**
 * Moves work from MongoDB to Redis: publishes facts that their own process could not publish, refills the channels' queues,
 * and repeats lost wake-ups. Any number of copies may run.
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
      const publish = async () => soonIf(await relayFacts(deps, priority));
      own(loop({ name: `${priority} facts`, ...every, work: guard(publish) }));
    }
    const refill = async () => soonIf((await refillQueues(deps)) > 0);
    own(loop({ name: 'refill', ...every, work: guard(refill) }));
    own(loop({ name: 'lost facts', ...every, work: guard(async () => void (await reopenLostFacts(deps))) }));
    own(loop({ name: 'seats', ...every, everyMs: config.sweepMs, work: seatRounds(context, stores) }));
    own(
      loop({
        name: 'reconciler',
        ...every,
        everyMs: config.sweepMs,
        work: guard(async () => void (await reconcileDeliveries({ ...deps, leaseMs: config.leaseMs, report }))),
      }),
    );
  },
});
