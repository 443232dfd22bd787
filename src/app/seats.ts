import { Counter } from 'prom-client';
import { auditSeats } from '../registrations/seats/audit.ts';
import type { ProcessContext } from './process.ts';
import type { Stores } from './stores.ts';

/** Events checked in one round; the next round continues after them, and after the last one from the start. */
const EVENTS = 100;

/** One round of the seat audit. Wrong counters are always a bug of ours. */
export function seatRounds(
  { log, metrics }: Pick<ProcessContext, 'log' | 'metrics'>,
  stores: Stores,
): () => Promise<void> {
  const faults = new Counter({
    name: 'schoolbell_seat_faults_total',
    help: 'Events whose seats did not agree with their registrations; every one is a bug',
    labelNames: ['repaired'],
    registers: [metrics],
  });
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
