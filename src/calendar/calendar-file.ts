import type { Location, SchoolEvent } from '../events/event.ts';
import { oneLine, PRODID, shortened } from './ics.ts';
import { escaped, folded, utcStamp } from './ics-text.ts';
import { recurrenceLines, statusOf, timeLines, uidOf } from './vevent.ts';
import { vtimezone } from './vtimezone.ts';

export type CalendarHead = {
  /** what a calendar program calls it; null for a file of one event */
  name: string | null;
  /** where the events' pages are */
  publicUrl: string;
};

/**
 * Events as a calendar to subscribe to or to keep (RFC 5545, 7986): wall clocks in their zones, each zone defined, in a
 * text that stays the same as long as the events do.
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
    ...zoneLines(events),
    ...events.flatMap((event) => eventLines(event, publicUrl)),
    'END:VCALENDAR',
  ]);
}

const isUtc = (zone: string): boolean => /^(Etc\/)?(UTC|UCT|GMT|Zulu|Universal)$/i.test(zone);
const zoneOf = ({ timezone }: SchoolEvent): string | null => (isUtc(timezone) ? null : timezone);

function zoneLines(events: readonly SchoolEvent[]): string[] {
  const years = new Map<string, { from: number; to: number }>();
  for (const event of events) {
    const zone = zoneOf(event);
    if (event.all_day || zone === null) continue;
    const known = years.get(zone);
    const [start, end] = [event.starts_at.getUTCFullYear(), event.ends_at.getUTCFullYear()];
    // A series may have begun before its occurrence was moved.
    const first = Number(event.occurrence_date?.slice(0, 4) ?? start);
    years.set(zone, {
      from: Math.min(known?.from ?? start, start, first),
      to: Math.max(known?.to ?? end, end, first),
    });
  }
  return [...years].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([zone, { from, to }]) => vtimezone(zone, from, to));
}

function eventLines(event: SchoolEvent, publicUrl: string): string[] {
  const zone = zoneOf(event);
  const place = placeOf(event);
  const description = shortened(event.description);
  return [
    'BEGIN:VEVENT',
    `UID:${uidOf(event)}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${utcStamp(event.updated_at)}`,
    `CREATED:${utcStamp(event.created_at)}`,
    `LAST-MODIFIED:${utcStamp(event.updated_at)}`,
    ...timeLines(event, zone),
    ...recurrenceLines(event, zone),
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
