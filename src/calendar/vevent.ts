import { dateStamp, utcStamp } from '../core/calendar-stamps.ts';
import { addDays } from '../core/zoned-time.ts';
import type { SchoolEvent } from '../events/event.ts';

/** Occurrences have the UID of their series, and are told apart by where they stand in it. */
type Placed = Pick<SchoolEvent, 'id' | 'parent_event_id' | 'occurrence_date' | 'recurrence_id'>;

/** The same for good, whatever becomes of the event. */
export const uidOf = (event: Placed): string =>
  `${(event.occurrence_date ? event.parent_event_id : null) ?? event.id}@schoolbell`;

/**
 * RECURRENCE-ID of an occurrence. Every occurrence is an object of its own and none stands for the whole series, so that
 * cancelling the first does not cancel all.
 */
export function recurrenceLines({ recurrence_id: id }: Placed): string[] {
  if (id === null) return [];
  return [`RECURRENCE-ID${id.includes('T') ? '' : ';VALUE=DATE'}:${id}`];
}

/** DTSTART and DTEND in UTC, or as dates. DTEND is exclusive: the last of whole days is the day before it. */
export function timeLines(
  event: Pick<SchoolEvent, 'all_day' | 'start_date' | 'end_date' | 'starts_at' | 'ends_at'>,
): string[] {
  const { starts_at, ends_at } = event;
  if (event.all_day) {
    return [
      `DTSTART;VALUE=DATE:${dateStamp(event.start_date)}`,
      `DTEND;VALUE=DATE:${dateStamp(addDays(event.end_date, 1))}`,
    ];
  }
  return [`DTSTART:${utcStamp(starts_at)}`, ...(ends_at > starts_at ? [`DTEND:${utcStamp(ends_at)}`] : [])];
}

/** Postponed or only planned: on the calendar, but not settled until it is published. */
export function statusOf({ status }: Pick<SchoolEvent, 'status'>): 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED' {
  if (status === 'cancelled') return 'CANCELLED';
  return status === 'postponed' || status === 'scheduled' ? 'TENTATIVE' : 'CONFIRMED';
}
