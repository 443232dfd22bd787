import { WriteConflict } from '../core/transaction.ts';
import type { Scope } from '../people/caller.ts';
import type { RegistrationDeps, SeatAuditStore } from './ports.ts';
import { type SeatCounts, seatFaults } from './seat-faults.ts';

type Deps = Pick<RegistrationDeps, 'transactOnce' | 'clock' | 'events' | 'facts' | 'registrations'> & {
  seatAudit: SeatAuditStore;
};

/** The seat faults of one event, in words without personal data. */
export type SeatFinding = { event_id: string; faults: string[]; repaired: boolean };

/**
 * Compares the counters of up to `limit` events, ordered by id, with their registrations. Reads each event in a snapshot,
 * so that concurrent registrations are no faults. `repair` corrects wrong counters, but not overbooked events, which staff
 * have to resolve.
 * @returns the findings and the id to continue after; `next` is null at the end
 */
export async function auditSeats(
  deps: Deps,
  { after, limit, repair }: { after: string | null; limit: number; repair: boolean },
): Promise<{ findings: SeatFinding[]; next: string | null; checked: number }> {
  const events = await deps.seatAudit.eventsAfter(after, limit);
  const findings: SeatFinding[] = [];
  for (const { id, ...scope } of events) {
    const faults = await auditEvent(deps, scope, id, repair);
    if (faults) findings.push({ event_id: id, ...faults });
  }
  return { findings, checked: events.length, next: events.length < limit ? null : (events.at(-1)?.id ?? null) };
}

async function auditEvent(
  deps: Deps,
  scope: Scope,
  id: string,
  repair: boolean,
): Promise<Omit<SeatFinding, 'event_id'> | null> {
  return deps
    .transactOnce(async (tx) => {
      const event = await deps.events.find(scope, id, tx);
      if (!event) return null;
      const counts: SeatCounts = await deps.seatAudit.counts(scope, id, tx);
      const { faults, right } = seatFaults(event, counts);
      if (faults.length === 0) return null;
      const stored =
        repair &&
        right !== null &&
        (await deps.events.replace({ ...event, ...right, version: event.version + 1 }, event.version, tx));
      return { faults, repaired: stored };
    })
    .catch((error) => {
      if (error instanceof WriteConflict) return null; // the event is changing: the next audit checks it
      throw error;
    });
}
