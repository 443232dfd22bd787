import { addDays, dateStamp, utcStamp } from '../core/zoned-time.ts';
import type { SchoolEvent } from '../events/event.ts';

/** Occurrences share the UID of their series; the RECURRENCE-ID identifies each. */
type Identified = Pick<SchoolEvent, 'id' | 'parent_event_id' | 'occurrence_date' | 'recurrence_id'>;

/** The id that all dates of a series share: that of the first date. */
export const sharedIdOf = (event: Identified): string =>
  (event.occurrence_date ? event.parent_event_id : null) ?? event.id;

/** The UID, which never changes. */
export const uidOf = (event: Identified): string => `${sharedIdOf(event)}@schoolbell`;

/**
 * RECURRENCE-ID of an occurrence. The first occurrence has one too, so that cancelling it does not cancel the series.
 */
export function recurrenceLines({ recurrence_id: id }: Identified): string[] {
  if (id === null) return [];
  return [`RECURRENCE-ID${id.includes('T') ? '' : ';VALUE=DATE'}:${id}`];
}

/** DTSTART and DTEND in UTC, or as dates for all-day events. DTEND is exclusive: the day after the last. */
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

/** Postponed and scheduled events are tentative until they are published. */
export function statusOf({ status }: Pick<SchoolEvent, 'status'>): 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED' {
  if (status === 'cancelled') return 'CANCELLED';
  return status === 'postponed' || status === 'scheduled' ? 'TENTATIVE' : 'CONFIRMED';
}
