import { WriteConflict } from '../core/transaction.ts';
import type { Scope } from '../people/caller.ts';
import type { RegistrationDeps, SeatAuditStore } from './ports.ts';
import { type SeatCounts, seatFaults } from './seat-faults.ts';

type Deps = Pick<RegistrationDeps, 'transactOnce' | 'clock' | 'events' | 'facts' | 'registrations'> & {
  seatAudit: SeatAuditStore;
};

/** What is wrong with the seats of one event, in words that name no person. */
export type SeatFinding = { event_id: string; faults: string[]; repaired: boolean };

/**
 * Compares the counters of some events with their registrations, in the order of their ids from `after` on. Each event
 * is read as of one moment, so a registration under way is no fault. With `repair` wrong counters are set right; more
 * people than seats can't be, somebody has to decide that.
 * @returns the findings and where to go on, null at the end
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
      if (error instanceof WriteConflict) return null; // somebody is at work on it: the next round looks again
      throw error;
    });
}
