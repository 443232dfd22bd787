import { fromKeys } from '../core/objects.ts';
import { daysOf } from '../core/zoned-time.ts';
import { attendanceRate, EVENT_STATUSES, type EventStatus, hasStarted } from '../events/event.ts';
import { EVENT_TYPE_NAMES } from '../events/event-types.ts';
import type { EventTally, ReadingDeps } from '../events/ports.ts';
import type { Viewer } from '../people/visibility.ts';
import { visibleTo } from '../people/visible-events.ts';

/** Sums up tallies by status to the numbers of docs/decisions.md, "Statistics". */
export function summaryOf(tallies: readonly EventTally[]) {
  const sum = (of: (tally: EventTally) => number, among = (_: EventTally) => true): number =>
    tallies.filter(among).reduce((total, tally) => total + of(tally), 0);
  const counted = (among: (tally: EventTally) => boolean): number => sum(({ count }) => count, among);
  const ofStatus = (status: EventStatus): number => counted((tally) => tally.status === status);
  const isHeld = ({ status }: EventTally): boolean => status !== 'draft' && status !== 'cancelled';
  const events = counted(isHeld);
  return {
    total: counted(() => true),
    upcoming: sum(({ upcoming }) => upcoming),
    inProgress: ofStatus('in_progress'),
    completed: ofStatus('completed'),
    cancelled: ofStatus('cancelled'),
    totalRegistrations: sum(({ seats }) => seats, isHeld),
    averageAttendance: events === 0 ? 0 : Math.round((sum(({ seats }) => seats, isHeld) / events) * 100) / 100,
    attendanceRate: attendanceRate({
      confirmed: sum(({ confirmed }) => confirmed, hasStarted),
      checked_in: sum(({ checked_in }) => checked_in, hasStarted),
    }),
    byType: fromKeys(EVENT_TYPE_NAMES, (type) => sum(({ types }) => types[type] ?? 0)),
    byStatus: fromKeys(EVENT_STATUSES, ofStatus),
  };
}

/**
 * Loads the statistics of the events that a viewer may see. `from` and `to` limit the start date, both included, in the
 * school's zone. The store counts.
 */
export async function countEvents(deps: ReadingDeps, viewer: Viewer, { from, to }: { from?: string; to?: string }) {
  const { timezone } = await deps.schools.find(viewer);
  const days = from || to ? daysOf(from ?? '1900-01-01', to ?? '2999-12-31', timezone) : null;
  return summaryOf(await deps.eventReader.countByStatus(visibleTo(viewer), days, deps.clock.now()));
}
