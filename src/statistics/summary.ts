import { attendanceRate, EVENT_STATUSES, type EventStatus, STARTED } from '../events/event.ts';
import type { EventTally } from '../events/ports.ts';
import { EVENT_TYPES, type EventType } from '../events/rules/event-types.ts';

/** Sums up tallies by status to the numbers of §2.9 (decisions.md, "statistics"). */
export function summaryOf(tallies: readonly EventTally[]) {
  const sum = (of: (tally: EventTally) => number, among = (_: EventTally) => true): number =>
    tallies.filter(among).reduce((total, tally) => total + of(tally), 0);
  const counted = (among: (tally: EventTally) => boolean): number => sum(({ count }) => count, among);
  const ofStatus = (status: EventStatus): number => counted((tally) => tally.status === status);
  const hasStarted = ({ status }: EventTally): boolean => STARTED.includes(status);
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
    byType: each(Object.keys(EVENT_TYPES) as EventType[], (type) => sum(({ types }) => types[type] ?? 0)),
    byStatus: each(EVENT_STATUSES, ofStatus),
  };
}

const each = <K extends string>(keys: readonly K[], count: (key: K) => number): Record<K, number> =>
  Object.fromEntries(keys.map((key) => [key, count(key)])) as Record<K, number>;
