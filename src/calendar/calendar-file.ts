import { utcStamp } from '../core/calendar-stamps.ts';
import type { Location, SchoolEvent } from '../events/event.ts';
import { oneLine, PRODID, shortened } from './ics.ts';
import { escaped, folded } from './ics-text.ts';
import { recurrenceLines, statusOf, timeLines, uidOf } from './vevent.ts';

export type CalendarHead = {
  /** what a calendar program calls it; null for a file of one event */
  name: string | null;
  /** where the events' pages are */
  publicUrl: string;
};

/**
 * Writes events as a calendar to subscribe to or to keep (RFC 5545, 7986). Times are instants in UTC and whole days are
 * dates, so the cost of an event does not depend on its span. The text stays the same as long as the events do.
 */
export function calendarFile(events: readonly SchoolEvent[], { name, publicUrl }: CalendarHead): string {
  return folded([
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
    ...events.flatMap((event) => eventLines(event, publicUrl)),
    'END:VCALENDAR',
  ]);
}

function eventLines(event: SchoolEvent, publicUrl: string): string[] {
  const place = placeOf(event);
  const description = shortened(event.description);
  return [
    'BEGIN:VEVENT',
    `UID:${uidOf(event)}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${utcStamp(event.updated_at)}`,
    `CREATED:${utcStamp(event.created_at)}`,
    `LAST-MODIFIED:${utcStamp(event.updated_at)}`,
    ...timeLines(event),
    ...recurrenceLines(event),
    `SUMMARY:${escaped(oneLine(event.title))}`,
    ...(description ? [`DESCRIPTION:${escaped(description)}`] : []),
    ...(place ? [`LOCATION:${escaped(place)}`] : []),
    ...(event.tags.length > 0 ? [`CATEGORIES:${event.tags.map((tag) => escaped(oneLine(tag))).join(',')}`] : []),
    `URL:${publicUrl}/events/${event.id}`,
    `STATUS:${statusOf(event)}`,
    `TRANSP:${event.all_day || event.status === 'cancelled' ? 'TRANSPARENT' : 'OPAQUE'}`,
    'END:VEVENT',
  ];
}

function placeOf({ location, location_name }: { location: Location | null; location_name: string | null }): string {
  const { name, room, building, address, virtualLink } = location ?? {};
  const parts = [name ?? location_name, room, building, address, virtualLink].map((part) => oneLine(part ?? ''));
  return [...new Set(parts)].filter((part) => part !== '').join(', ');
}
