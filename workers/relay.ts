import { gaugeBacklog } from '../src/app/backlog-metrics.ts';
import { counterIn } from '../src/app/counter.ts';
import { defineWorker } from '../src/app/define-worker.ts';
import { ifDue, openLoops } from '../src/app/loop.ts';
import type { ProcessContext } from '../src/app/process.ts';
import { gaugeDepths, openQueues, openWakeUps } from '../src/app/queues.ts';
import { openRestoreGuard } from '../src/app/restore-guard.ts';
import { openStores, type Stores } from '../src/app/stores.ts';
import { readBacklog } from '../src/mongo/backlog.ts';
import { reconcileDeliveries } from '../src/notifications/delivery/reconcile.ts';
import { createRefill, findNextRelay } from '../src/notifications/fan-out/enqueue.ts';
import { relayFacts, reopenLostFacts } from '../src/outbox/relay.ts';
import { auditSeats } from '../src/registrations/seats/audit.ts';

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
    const { whenDue, everySweep } = openLoops(context, stores, openWakeUps(context));
    const deps = { ...stores, ...queues };
    gaugeDepths(context, queues.deliveryQueue.depth);
    gaugeBacklog(context, () => readBacklog(stores.database));
    const report = ({ id, to }: { id: string; to: string }) => log.warn({ deliveryId: id, to }, 'delivery.reconciled');
    const refill = createRefill(deps);
    const work = async () => {
      const reopened = await reopenLostFacts(deps);
      const areFactsLeft = await relayFacts(deps);
      return (await refill()) > 0 || areFactsLeft || reopened > 0 ? 'backlog' : 'done';
    };
    const next = () => findNextRelay(deps);
    whenDue('queues', ifDue(stores.clock, next, guard(work)));
    everySweep('seats', seatRounds(context, stores));
    everySweep(
      'reconciler',
      guard(() => reconcileDeliveries({ ...deps, leaseMs: config.leaseMs, report })),
    );
  },
});

/** Events checked in one round; the next round continues after them, and after the last one from the start. */
const EVENTS = 100;

/** One round of the seat audit. Wrong counters are always a bug of ours. */
function seatRounds({ log, metrics }: Pick<ProcessContext, 'log' | 'metrics'>, stores: Stores): () => Promise<void> {
  const help = 'Events whose seats did not agree with their registrations; every one is a bug';
  const faults = counterIn(metrics, 'schoolbell_seat_faults_total', help, ['repaired']);
  // Prometheus sees no increase in a series that begins with 1.
  for (const repaired of ['true', 'false']) faults.inc({ repaired }, 0);
  let after: string | null = null;
  return async () => {
    const { findings, next } = await auditSeats(stores, { after, limit: EVENTS, repair: true });
    after = next;
    for (const { event_id, faults: found, repaired } of findings) {
      faults.inc({ repaired: String(repaired) });
      log.error({ eventId: event_id, faults: found }, repaired ? 'seats.repaired' : 'seats.wrong');
    }
  };
}
