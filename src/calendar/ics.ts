import { cut, oneLine, severalLines } from '../core/plain-text.ts';
import type { SchoolEvent } from '../events/event.ts';
import { escaped, folded, quoted } from './ics-text.ts';
import { recurrenceLines, statusOf, timeLines, uidOf } from './vevent.ts';

type CalendarDetails = {
  /** DTSTAMP: when this version of the object was created, or its placeholder */
  stamp: string;
  url: string;
  /** '' for none */
  location: string;
  /** `address`: or its placeholder, on a folded line of its own */
  organizer: { name: string; address: string };
  /** the recipient: `PARTSTAT=…;RSVP=…` and the address, or their placeholders; null: invites no one */
  attendee: { answer: string; address: string } | null;
};

const DESCRIPTION_MAX = 1000;

export const PRODID = '-//Schoolbell//Schoolbell//EN';

type Method = 'REQUEST' | 'CANCEL' | 'PUBLISH';

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
  return `${folded(head)}${entries}${folded(['END:VCALENDAR'])}`;
}

function entryOf(event: SchoolEvent, method: Method, details: CalendarDetails): string {
  const status = method === 'CANCEL' ? 'CANCELLED' : statusOf(event);
  const { name, address } = details.organizer;
  const location = oneLine(details.location);
  const description = shortened(event.description);
  const head = folded([
    'BEGIN:VEVENT',
    `UID:${uidOf(event)}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${details.stamp}`,
    ...timeLines(event),
    ...recurrenceLines(event),
    `SUMMARY:${escaped(oneLine(event.title))}`,
    ...(location ? [`LOCATION:${escaped(location)}`] : []),
    ...(description ? [`DESCRIPTION:${escaped(description)}`] : []),
    `ORGANIZER;CN=${quoted(oneLine(name) || 'School')}:mailto:`,
  ]);
  const tail = folded([
    `URL:${details.url}`,
    `STATUS:${status}`,
    `X-MICROSOFT-CDO-BUSYSTATUS:${BUSY[status]}`,
    'END:VEVENT',
  ]);
  // Not folded with the other lines, which could split the placeholders.
  return `${head} ${address}\r\n${details.attendee ? attendeeLines(details.attendee) : ''}${tail}`;
}

const attendeeLines = ({ answer, address }: { answer: string; address: string }): string =>
  `ATTENDEE;ROLE=REQ-PARTICIPANT;${answer}:mailto:\r\n ${address}\r\n`;

const BUSY = { CONFIRMED: 'BUSY', TENTATIVE: 'TENTATIVE', CANCELLED: 'FREE' } as const;

/** The lines of a description, at most 1,000 characters; '' for none. */
export const shortened = (description: string | null): string => cut(severalLines(description ?? ''), DESCRIPTION_MAX);
