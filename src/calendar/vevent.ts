import type { SchoolEvent } from '../events/event.ts';
import { addDays, instantOf } from '../kernel/zoned-time.ts';
import { dateStamp, utcStamp } from './ics-text.ts';

/** Occurrences have the UID of their series, and are told apart by where they stand in it. */
type Placed = Pick<SchoolEvent, 'id' | 'parent_event_id' | 'occurrence_date' | 'all_day' | 'start_time' | 'timezone'>;

/** The same for good, whatever becomes of the event. */
export const uidOf = (event: Placed): string =>
  `${(event.occurrence_date ? event.parent_event_id : null) ?? event.id}@schoolbell`;

/**
 * RECURRENCE-ID of an occurrence: the day its rule gave it, wherever it was moved since. Every occurrence is an object
 * of its own and none stands for the whole series, so that cancelling the first does not cancel all.
 */
export function recurrenceLines(event: Placed): string[] {
  const { occurrence_date: date } = event;
  if (!date) return [];
  if (event.all_day) return [`RECURRENCE-ID;VALUE=DATE:${dateStamp(date)}`];
  const original = instantOf({ date, time: event.start_time ?? '09:00', zone: event.timezone });
  return [`RECURRENCE-ID:${utcStamp(original)}`];
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
