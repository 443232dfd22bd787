import { fromKeys } from '../../core/objects.ts';
import { unlessContended } from '../../core/transaction.ts';
import type { SchoolEvent } from '../../events/event.ts';
import type { SeatAuditStore, SeatCounts, SeatDeps } from '../ports.ts';
import { SEAT_COUNTERS, type SeatCounter } from '../registration.ts';

type Deps = Omit<SeatDeps, 'contacts'> & { seatAudit: SeatAuditStore };

/** The seat faults of one event, in words without personal data. */
type SeatFinding = { event_id: string; faults: string[]; repaired: boolean };

const NO_SEATS: SeatCounts = { ...fromKeys(SEAT_COUNTERS, () => 0), overridden: 0, last_waitlist_number: 0 };

/**
 * Compares the counters of up to `limit` events, ordered by id, with their registrations. Reads them in one snapshot, so
 * that concurrent registrations are no faults. `repair` corrects wrong counters, but not overbooked events, which staff
 * have to resolve.
 * @returns the findings and the id to continue after; `next` is null at the end
 */
export async function auditSeats(
  deps: Deps,
  { after, limit, repair }: { after: string | null; limit: number; repair: boolean },
): Promise<{ findings: SeatFinding[]; next: string | null; checked: number }> {
  const ids = await deps.seatAudit.findEventIds(after, limit);
  const findings = ids.length === 0 ? [] : await auditEvents(deps, ids, repair);
  return { findings, checked: ids.length, next: ids.length < limit ? null : (ids.at(-1) ?? null) };
}

async function auditEvents(deps: Deps, ids: readonly string[], repair: boolean): Promise<SeatFinding[]> {
  const audit = deps.transactOnce(async (tx) => {
    const counts = await deps.seatAudit.countSeats(ids, tx);
    const findings: SeatFinding[] = [];
    for (const event of await deps.events.findMany(ids, tx)) {
      const { faults, right } = seatFaults(event, counts.get(event.id) ?? NO_SEATS);
      if (faults.length === 0) continue;
      const correction = right && { before: event, after: { ...event, ...right, version: event.version + 1 } };
      const repaired = repair && correction !== null && (await deps.events.replaceMany([correction], tx));
      findings.push({ event_id: event.id, faults, repaired });
    }
    return findings;
  });
  // A wrong event is changing: the next audit finds it.
  return unlessContended(audit, []);
}

type Counters = Pick<SchoolEvent, SeatCounter | 'last_waitlist_number'>;

/**
 * Compares an event's counters with its registrations.
 * @returns the faults, and the correct counters; null if the counters are correct
 */
function seatFaults(
  event: Counters & Pick<SchoolEvent, 'max_attendees'>,
  { overridden, last_waitlist_number, ...counted }: SeatCounts,
): { faults: string[]; right: Counters | null } {
  const wrong = SEAT_COUNTERS.filter((name) => event[name] !== counted[name]);
  const faults = wrong.map((name) => `${name} is ${event[name]}, not ${counted[name]}`);
  if (event.last_waitlist_number < last_waitlist_number)
    faults.push(`last_waitlist_number is ${event.last_waitlist_number}, but ${last_waitlist_number} was given out`);
  const last = Math.max(event.last_waitlist_number, last_waitlist_number);
  const right = faults.length === 0 ? null : { ...counted, last_waitlist_number: last };
  const { current_attendees: taken } = counted;
  if (event.max_attendees !== null && taken - overridden > event.max_attendees)
    faults.push(`${taken} seats are taken of ${event.max_attendees}`);
  return { faults, right };
}
