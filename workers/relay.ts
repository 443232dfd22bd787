import { gaugeBacklog } from '../src/app/backlog-metrics.ts';
import { defineWorker } from '../src/app/define-worker.ts';
import { openLoops, whileDue } from '../src/app/loop.ts';
import { gaugeDepths, openQueues } from '../src/app/queues.ts';
import { openRestoreGuard } from '../src/app/restore-guard.ts';
import { seatRounds } from '../src/app/seats.ts';
import { openStores } from '../src/app/stores.ts';
import { readBacklog } from '../src/mongo/backlog.ts';
import { reconcileDeliveries } from '../src/notifications/delivery/reconcile.ts';
import { createRefill, nextRefill } from '../src/notifications/fan-out/enqueue.ts';
import { nextRelay, relayFacts, reopenLostFacts } from '../src/outbox/relay.ts';

/**
 * Moves work from MongoDB to Redis: publishes facts that their own process could not publish, refills the channels' queues,
 * and repeats lost wake-ups. Any number of copies may run.
 */
export const relay = defineWorker({
  name: 'relay',
  needs: ['mongo', 'redis'],
  async start(context) {
    const { config, log } = context;
    const stores = await openStores(context);
    const queues = await openQueues(context);
    const { guard } = await openRestoreGuard(context);
    const { whenDue, everySweep } = openLoops(context, stores, stores.wakeUps.messages);
    const deps = { ...stores, ...queues };
    gaugeDepths(context, queues.deliveryQueue.depth);
    gaugeBacklog(context, () => readBacklog(stores.database));
    const report = ({ id, to }: { id: string; to: string }) => log.warn({ deliveryId: id, to }, 'delivery.reconciled');
    const refill = createRefill(deps);
    const repeat = (name: string, nextDue: () => Promise<Date | null>, work: () => Promise<boolean>) =>
      whenDue(name, whileDue(stores.clock, nextDue, guard(work)));
    const nextFact = () => nextRelay(deps);
    const nextMessage = () => nextRefill(deps);
    repeat('facts', nextFact, () => relayFacts(deps));
    repeat('lost facts', nextFact, async () => (await reopenLostFacts(deps)) > 0);
    repeat('refill', nextMessage, async () => (await refill()) > 0);
    everySweep('seats', seatRounds(context, stores));
    const reconcile = async () => void (await reconcileDeliveries({ ...deps, leaseMs: config.leaseMs, report }));
    everySweep('reconciler', guard(reconcile));
  },
});
