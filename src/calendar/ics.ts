import ical, { ICalCalendarMethod, ICalEventBusyStatus, ICalEventStatus } from 'ical-generator';
import type { SchoolEvent } from '../events/event.ts';
import { addDays } from '../kernel/zoned-time.ts';

export type CalendarDetails = {
  /** DTSTAMP: when this version of the object was made */
  stamp: Date;
  url: string;
  /** in one line; '' for none */
  location: string;
  organizer: { name: string; address: string };
  /** the reader's address, or what stands for it until it is filled in; it has a (folded) line of its own */
  attendee: string | null;
};

const DESCRIPTION_MAX = 1000;

/**
 * One event as a calendar object (RFC 5545, 5546): the UID stays the same for good, SEQUENCE tells which version is the
 * later one. Times are instants in UTC, so that no zone definition has to travel along; whole days are dates.
 */
export function calendarObject(
  event: SchoolEvent,
  method: 'REQUEST' | 'CANCEL' | 'PUBLISH',
  details: CalendarDetails,
): string {
  const calendar = ical({ prodId: '//Schoolbell//Schoolbell//EN', method: ICalCalendarMethod[method] });
  const status = statusOf(event, method);
  calendar.createEvent({
    id: `${event.id}@schoolbell`,
    sequence: event.sequence,
    stamp: details.stamp,
    ...timesOf(event),
    summary: oneLine(event.title),
    location: oneLine(details.location) || null,
    description: shortened(event.description),
    organizer: { name: parameter(details.organizer.name) || 'School', email: oneLine(details.organizer.address) },
    url: details.url,
    status,
    busystatus: BUSY[status],
  });
  const text = `${calendar.toString()}\r\n`;
  return details.attendee === null ? text : withAttendee(text, details.attendee);
}

/** Postponed with a known date: on the calendar, but not settled until it is published again. */
function statusOf(event: SchoolEvent, method: string): ICalEventStatus {
  if (method === 'CANCEL' || event.status === 'cancelled') return ICalEventStatus.CANCELLED;
  return event.status === 'postponed' ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED;
}

const BUSY = {
  [ICalEventStatus.CONFIRMED]: ICalEventBusyStatus.BUSY,
  [ICalEventStatus.TENTATIVE]: ICalEventBusyStatus.TENTATIVE,
  [ICalEventStatus.CANCELLED]: ICalEventBusyStatus.FREE,
} as const;

/** DTEND is exclusive: the last day of an all-day event is the day before it. */
function timesOf(event: SchoolEvent): { start: Date; end?: Date; allDay: boolean } {
  if (event.all_day) {
    const midnight = (date: string) => new Date(`${date}T00:00:00Z`);
    return { start: midnight(event.start_date), end: midnight(addDays(event.end_date, 1)), allDay: true };
  }
  const { starts_at: start, ends_at: end } = event;
  return +end > +start ? { start, end, allDay: false } : { start, allDay: false };
}

/** Written here and not by the library, whose folding would tear what stands for the address. */
function withAttendee(text: string, attendee: string): string {
  const line = `ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:\r\n ${attendee}`;
  return text.replace(/\r\nEND:VEVENT\r\n/, () => `\r\n${line}\r\nEND:VEVENT\r\n`);
}

const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;
const oneLine = (text: string): string => text.replace(CONTROLS, ' ').trim();

/** A quoted parameter can hold neither quotes nor escapes (RFC 5545 §3.2). */
const parameter = (text: string): string => oneLine(text).replaceAll('"', "'").replaceAll('\\', '/');

function shortened(description: string | null): string | null {
  const text = (description ?? '')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/(?!\n)\p{Cc}/gu, ' ')
    .trim();
  if (text === '') return null;
  const characters = Array.from(text);
  return characters.length <= DESCRIPTION_MAX ? text : `${characters.slice(0, DESCRIPTION_MAX - 1).join('')}…`;
}
