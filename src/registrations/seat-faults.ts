import type { SchoolEvent } from '../events/event.ts';
import { SEAT_COUNTERS, type SeatCounter } from './registration.ts';

/** The counters as counted from the registrations. */
export type SeatCounts = Record<SeatCounter, number> & {
  /** seats taken by people whom staff registered past the capacity */
  overridden: number;
  last_waitlist_number: number;
};

type Counters = Pick<SchoolEvent, SeatCounter | 'last_waitlist_number'>;

/**
 * Compares an event's counters with its registrations.
 * @returns the faults, and the correct counters; null if the counters are correct
 */
export function seatFaults(
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
