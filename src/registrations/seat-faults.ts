import type { SchoolEvent } from '../events/event.ts';

/** The counters as counted from the registrations. */
export type SeatCounts = {
  taken: number;
  /** of these, registered by staff past the capacity */
  overridden: number;
  waiting: number;
  last_waitlist_number: number;
};

type Counters = Pick<SchoolEvent, 'current_attendees' | 'waitlisted' | 'last_waitlist_number'>;

/**
 * Compares an event's counters with its registrations.
 * @returns the faults, and the correct counters; null if the counters are correct
 */
export function seatFaults(
  event: Counters & Pick<SchoolEvent, 'max_attendees'>,
  { taken, overridden, waiting, last_waitlist_number }: SeatCounts,
): { faults: string[]; right: Counters | null } {
  const faults: string[] = [];
  if (event.current_attendees !== taken) faults.push(`current_attendees is ${event.current_attendees}, not ${taken}`);
  if (event.waitlisted !== waiting) faults.push(`waitlisted is ${event.waitlisted}, not ${waiting}`);
  if (event.last_waitlist_number < last_waitlist_number)
    faults.push(`last_waitlist_number is ${event.last_waitlist_number}, but ${last_waitlist_number} was given out`);
  const right =
    faults.length === 0
      ? null
      : {
          current_attendees: taken,
          waitlisted: waiting,
          last_waitlist_number: Math.max(event.last_waitlist_number, last_waitlist_number),
        };
  if (event.max_attendees !== null && taken - overridden > event.max_attendees)
    faults.push(`${taken} seats are taken of ${event.max_attendees}`);
  return { faults, right };
}
