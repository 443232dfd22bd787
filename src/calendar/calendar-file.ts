import { oneLine } from '../core/plain-text.ts';
import { utcStamp } from '../core/zoned-time.ts';
import { type Location, placeName, type SchoolEvent } from '../events/event.ts';
import type { ReadAlways } from '../events/ports.ts';
import { SCHEDULE_FIELDS } from '../events/rules/schedule.ts';
import { escaped, firstLines, foldedLines, PRODID, statusOf } from './ics.ts';

export type CalendarHead = {
  /** name shown by calendar programs; null for a file of one event */
  name: string | null;
  /** the address of an event's page, without the id at its end */
  eventPage: string;
};

/** The event fields that a calendar file needs. */
export const FILE_FIELDS = [
  'status',
  'postponed_to',
  'organizer_id',
  'title',
  'description',
  'translations',
  ...SCHEDULE_FIELDS,
  'ends_at',
  'parent_event_id',
  'recurrence_id',
  'location_name',
  'location',
  'registration_type',
  'tags',
  'sequence',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof SchoolEvent)[];

type FileEvent = Pick<SchoolEvent, ReadAlways | (typeof FILE_FIELDS)[number]>;

/** Batches of events, read again by each call. */
export type ReadFileEvents = () => Iterable<readonly FileEvent[]> | AsyncIterable<readonly FileEvent[]>;

/**
 * Writes events as a calendar to subscribe to or to keep (RFC 5545, 7986), batch by batch, so that memory does not grow
 * with their number. Times are instants in UTC and whole days are dates, so the cost of an event does not depend on its
 * span. The text stays the same as long as the events do.
 */
export async function* calendarFile(
  batches: ReturnType<ReadFileEvents>,
  { name, eventPage }: CalendarHead,
): AsyncGenerator<string> {
  yield foldedLines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:${PRODID}`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    ...(name === null
      ? []
      : [
          `NAME:${escaped(oneLine(name))}`,
          `X-WR-CALNAME:${escaped(oneLine(name))}`,
          'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
          'X-PUBLISHED-TTL:PT1H',
        ]),
  ]);
  const shown = name === null ? (event: FileEvent) => event : asSingleEvent;
  for await (const events of batches) yield foldedLines(events.flatMap((event) => eventLines(shown(event), eventPage)));
  yield foldedLines(['END:VCALENDAR']);
}

/** A date of a series as an event of its own: many programs leave out entries that have a RECURRENCE-ID but no rule. */
const asSingleEvent = (event: FileEvent): FileEvent => ({ ...event, parent_event_id: null, recurrence_id: null });

function eventLines(event: FileEvent, eventPage: string): string[] {
  const status = statusOf(event);
  const changed = utcStamp(event.updated_at);
  return [
    ...firstLines(event, { stamp: changed, location: placeOf(event) }),
    `CREATED:${utcStamp(event.created_at)}`,
    `LAST-MODIFIED:${changed}`,
    ...(event.tags.length > 0 ? [`CATEGORIES:${event.tags.map((tag) => escaped(oneLine(tag))).join(',')}`] : []),
    `URL:${eventPage}${event.id}`,
    `STATUS:${status}`,
    `TRANSP:${event.all_day || status === 'CANCELLED' ? 'TRANSPARENT' : 'OPAQUE'}`,
    'END:VEVENT',
  ];
}

function placeOf(event: { location: Location | null; location_name: string | null }): string {
  const { room, building, address, virtualLink } = event.location ?? {};
  const parts = [placeName(event), room, building, address, virtualLink].map((part) => oneLine(part ?? ''));
  return [...new Set(parts)].filter((part) => part !== '').join(', ');
}
