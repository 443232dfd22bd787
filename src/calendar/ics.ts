import { cut, oneLine, severalLines } from '../core/plain-text.ts';
import { addDays, dateStamp, utcStamp } from '../core/zoned-time.ts';
import type { EventStatus, SchoolEvent } from '../events/event.ts';
import { seriesIdOf } from '../events/rules/series.ts';
import type { Locale } from '../people/contact.ts';

type CalendarDetails = {
  /** DTSTAMP: when this version of the object was created, or its placeholder */
  stamp: string;
  url: string;
  /** '' for none */
  location: string;
  /** the reason for the change, '' for none: some programs show only the calendar object of a mail */
  comment: string;
  /** `address`: the e-mail address or its placeholder */
  organizer: { name: string; address: string };
  /** the recipient: `PARTSTAT=…;RSVP=…` and the address, or their placeholders; null: invites no one */
  attendee: { answer: string; address: string } | null;
};

const DESCRIPTION_MAX = 1000;

export const PRODID = '-//Schoolbell//Schoolbell//EN';

export type Method = 'REQUEST' | 'CANCEL' | 'PUBLISH';

/**
 * Writes dates of one series, or one event, as a calendar object (RFC 5545, 5546) with an entry for each. The UID never
 * changes, and SEQUENCE orders its versions. Times are UTC instants, so that no zone definition is needed; all-day events
 * are dates.
 */
export function calendarOfDates(
  dates: readonly { event: SchoolEvent; details: CalendarDetails }[],
  method: Method,
): string {
  const entries = dates.map(({ event, details }) => entryOf(event, method, details)).join('');
  const head = ['BEGIN:VCALENDAR', 'VERSION:2.0', `PRODID:${PRODID}`, `METHOD:${method}`];
  return `${foldedLines(head)}${entries}${foldedLines(['END:VCALENDAR'])}`;
}

function entryOf(event: SchoolEvent, method: Method, details: CalendarDetails): string {
  const status = method === 'CANCEL' ? 'CANCELLED' : statusOf(event);
  const { name, address } = details.organizer;
  const head = foldedLines([
    ...firstLines(event, details),
    `ORGANIZER;CN=${quoted(oneLine(name) || 'School')}:mailto:`,
  ]);
  const tail = foldedLines([
    ...(details.comment ? [`COMMENT:${escaped(details.comment)}`] : []),
    `URL:${details.url}`,
    `STATUS:${status}`,
    `X-MICROSOFT-CDO-BUSYSTATUS:${BUSY[status]}`,
    'END:VEVENT',
  ]);
  // Not folded with the other lines, which could split the placeholders.
  return `${head} ${address}\r\n${details.attendee ? attendeeLines(details.attendee) : ''}${tail}`;
}

/** The lines with which every entry of a calendar begins. */
export function firstLines(
  event: Identified & Timed & Pick<SchoolEvent, 'sequence' | 'title' | 'description'>,
  { stamp, location }: Pick<CalendarDetails, 'stamp' | 'location'>,
): string[] {
  const place = oneLine(location);
  const description = cut(severalLines(event.description ?? ''), DESCRIPTION_MAX);
  return [
    'BEGIN:VEVENT',
    `UID:${uidOf(event)}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${stamp}`,
    ...timeLines(event),
    ...recurrenceLines(event),
    `SUMMARY:${escaped(oneLine(event.title))}`,
    ...(place ? [`LOCATION:${escaped(place)}`] : []),
    ...(description ? [`DESCRIPTION:${escaped(description)}`] : []),
  ];
}

const attendeeLines = ({ answer, address }: { answer: string; address: string }): string =>
  `ATTENDEE;ROLE=REQ-PARTICIPANT;${answer}:mailto:\r\n ${address}\r\n`;

const BUSY = { CONFIRMED: 'BUSY', TENTATIVE: 'TENTATIVE', CANCELLED: 'FREE' } as const;

/** Escapes a text value that has no control characters but line ends (RFC 5545 §3.3.11). */
export const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll(';', '\\;').replaceAll(',', '\\,').replaceAll('\n', '\\n');

/** Quotes a parameter value of one line; replaces quotes, which it can't contain (RFC 5545 §3.2). */
const quoted = (text: string): string => `"${text.replaceAll('"', "'")}"`;

const LINE_MAX = 75;

/** Folds lines at 75 bytes (RFC 5545 §3.1), never within a character. */
export const foldedLines = (lines: readonly string[]): string => lines.map((line) => `${fold(line)}\r\n`).join('');

function fold(line: string): string {
  if (Buffer.byteLength(line) <= LINE_MAX) return line;
  let text = '';
  let room = LINE_MAX;
  for (const character of line) {
    const bytes = Buffer.byteLength(character);
    if (bytes > room) {
      text += '\r\n ';
      room = LINE_MAX - 1;
    }
    text += character;
    room -= bytes;
  }
  return text;
}

/** Occurrences share the UID of their series; the RECURRENCE-ID identifies each. */
type Identified = Pick<SchoolEvent, 'id' | 'parent_event_id' | 'recurrence_id'>;

/** The UID, which never changes. */
export const uidOf = (event: Identified): string => `${seriesIdOf(event)}@schoolbell`;

/**
 * RECURRENCE-ID of an occurrence. The first occurrence has one too, so that cancelling it does not cancel the series.
 */
function recurrenceLines({ recurrence_id: id }: Identified): string[] {
  if (id === null) return [];
  return [`RECURRENCE-ID${id.includes('T') ? '' : ';VALUE=DATE'}:${id}`];
}

type Timed = Pick<SchoolEvent, 'all_day' | 'start_date' | 'end_date' | 'starts_at' | 'ends_at'>;

/** DTSTART and DTEND in UTC, or as dates for all-day events. DTEND is exclusive: the day after the last. */
function timeLines(event: Timed): string[] {
  const { starts_at, ends_at } = event;
  if (event.all_day) {
    return [
      `DTSTART;VALUE=DATE:${dateStamp(event.start_date)}`,
      `DTEND;VALUE=DATE:${dateStamp(addDays(event.end_date, 1))}`,
    ];
  }
  return [`DTSTART:${utcStamp(starts_at)}`, ...(ends_at > starts_at ? [`DTEND:${utcStamp(ends_at)}`] : [])];
}

/**
 * Postponed and scheduled events are tentative until they are published. A postponed event whose new date is not known does
 * not take place at the old one, which it still has.
 */
export function statusOf({ status, postponed_to }: Pick<SchoolEvent, 'status' | 'postponed_to'>) {
  if (status === 'cancelled' || (status === 'postponed' && postponed_to === null)) return 'CANCELLED';
  return status === 'postponed' || status === 'scheduled' ? 'TENTATIVE' : 'CONFIRMED';
}

/** How titles in calendars and feeds name the states of events that are off. */
export const OFF_STATES: { readonly [S in EventStatus]?: Record<Locale, string> } = {
  cancelled: { en: 'Cancelled', cs: 'Zrušeno' },
  postponed: { en: 'Postponed', cs: 'Odloženo' },
};
