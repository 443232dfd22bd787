import ICAL from 'ical.js';
import { describe, expect, test } from 'vitest';
import { type CalendarHead, calendarFile } from '../../src/calendar/calendar-file.ts';
import { calendarOfDates } from '../../src/calendar/ics.ts';
import type { SchoolEvent } from '../../src/events/event.ts';
import { instantsOf } from '../../src/events/rules/schedule.ts';
import { placeInSeries } from '../../src/events/rules/series.ts';
import { anEvent } from '../support/builders.ts';
import { collect } from '../support/collect.ts';
import { eventsIn } from '../support/read-ics.ts';

const HEAD = { name: 'Lipová, school', eventPage: 'https://school.test/events/' };
const eventIn = (more: Partial<SchoolEvent>): SchoolEvent => {
  const event = anEvent(more);
  return { ...event, ...instantsOf(event), ...placeInSeries(event.occurrence_date, event) };
};
const written = async (batch: readonly SchoolEvent[], head: CalendarHead = HEAD) =>
  (await collect(calendarFile([batch], head))).join('');
const feed = async (...events: Partial<SchoolEvent>[]) => eventsIn(await written(events.map(eventIn)));
const only = async (more: Partial<SchoolEvent>): Promise<ICAL.Event> => {
  const [event] = await feed(more);
  if (!event) throw new Error('no event');
  return event;
};
const instant = (time: ICAL.Time): string => time.toJSDate().toISOString();
const status = (event: ICAL.Event) => event.component.getFirstPropertyValue('status');

const DETAILS = {
  stamp: '20260820T101500Z',
  url: 'https://school.example/events/1',
  location: 'Aula, room 12',
  comment: '',
  organizer: { name: 'ZŠ "Lipová"', address: 'school@school.example' },
  attendee: { answer: 'PARTSTAT=ACCEPTED;RSVP=FALSE', address: 'jana@home.example' },
};
const AUTUMN = { timezone: 'Europe/Prague', start_date: '2026-10-24', end_date: '2026-10-25' };

describe('the calendar object in a mail', () => {
  const sent = (more: Partial<SchoolEvent>, method: 'REQUEST' | 'CANCEL' = 'REQUEST') =>
    eventsIn(calendarOfDates([{ event: eventIn({ id: 'fair', ...more }), details: DETAILS }], method))[0] as ICAL.Event;

  test('is one event, at its instants on both sides of a clock change', () => {
    const event = sent({ ...AUTUMN, start_time: '20:00', end_time: '08:00', title: 'Night', sequence: 4 });
    expect(event.uid).toBe('fair@schoolbell');
    expect(event.sequence).toBe(4);
    expect(event.summary).toBe('Night');
    expect(event.location).toBe('Aula, room 12');
    expect(event.organizer).toBe('mailto:school@school.example');
    expect([instant(event.startDate), instant(event.endDate)]).toEqual([
      '2026-10-24T18:00:00.000Z',
      '2026-10-25T07:00:00.000Z',
    ]);
    expect(event.attendees.map((one) => one.getFirstValue())).toEqual(['mailto:jana@home.example']);
  });

  test('is cancelled under the UID it had', () => {
    const event = sent({ status: 'cancelled', sequence: 5 }, 'CANCEL');
    expect([event.uid, event.sequence, status(event)]).toEqual(['fair@schoolbell', 5, 'CANCELLED']);
    expect(event.component.parent?.getFirstPropertyValue('method')).toBe('CANCEL');
  });
});

describe('a calendar to subscribe to', () => {
  test('names itself, and how often to ask', async () => {
    // NAME of RFC 7986 is a property like any other to ical.js: it leaves the text as it was written.
    const calendar = new ICAL.Component(ICAL.parse(await written([], { ...HEAD, name: 'Lipová' })));
    expect(calendar.getFirstPropertyValue('name')).toBe('Lipová');
    expect(String(calendar.getFirstPropertyValue('refresh-interval'))).toBe('PT1H');
  });

  test.each([
    ['Europe/Prague', '18:00', '2026-03-28', '2026-03-28T17:00:00.000Z'],
    ['Europe/Prague', '18:00', '2026-03-29', '2026-03-29T16:00:00.000Z'],
    ['Europe/Prague', '18:00', '2026-10-24', '2026-10-24T16:00:00.000Z'],
    ['Europe/Prague', '18:00', '2026-10-25', '2026-10-25T17:00:00.000Z'],
    ['America/New_York', '08:30', '2026-03-07', '2026-03-07T13:30:00.000Z'],
    ['America/New_York', '08:30', '2026-03-08', '2026-03-08T12:30:00.000Z'],
    ['America/New_York', '08:30', '2026-11-01', '2026-11-01T13:30:00.000Z'],
    ['Asia/Kathmandu', '09:00', '2026-06-01', '2026-06-01T03:15:00.000Z'],
    ['Australia/Lord_Howe', '09:00', '2026-07-01', '2026-06-30T22:30:00.000Z'],
    ['Australia/Lord_Howe', '09:00', '2026-12-01', '2026-11-30T22:00:00.000Z'],
  ])('in %s %s on %s is that instant', async (timezone, start_time, start_date, expected) => {
    const event = await only({ timezone, start_date, start_time, end_date: start_date, end_time: '23:00' });
    expect(instant(event.startDate)).toBe(expected);
  });

  test('has whole days as dates that end on the day after', async () => {
    const event = await only({
      all_day: true,
      start_date: '2026-10-30',
      end_date: '2026-10-31',
      timezone: 'Asia/Tokyo',
    });
    expect(event.startDate.isDate).toBe(true);
    expect([event.startDate.toString(), event.endDate.toString()]).toEqual(['2026-10-30', '2026-11-01']);
  });

  test('has each date of a series as an event of its own, since many programs show no RECURRENCE-ID without a rule', async () => {
    const series = { timezone: 'Europe/Prague', is_recurring: true, start_time: '18:00', end_time: '19:00' };
    const of = (date: string, more: Partial<SchoolEvent> = {}) => ({
      ...series,
      start_date: date,
      end_date: date,
      occurrence_date: date,
      ...more,
    });
    const moved = { start_date: '2026-10-26', end_date: '2026-10-26', id: 'second', parent_event_id: 'first' };
    const events = await feed(of('2026-10-18', { id: 'first' }), of('2026-10-25', moved));
    expect(events.map(({ uid }) => uid)).toEqual(['first@schoolbell', 'second@schoolbell']);
    expect(events.map(({ recurrenceId }) => recurrenceId)).toEqual([null, null]);
    expect(events.map(({ startDate }) => instant(startDate))).toEqual([
      '2026-10-18T16:00:00.000Z',
      '2026-10-26T17:00:00.000Z',
    ]);
  });

  test.each([
    ['published', 'CONFIRMED'],
    ['postponed', 'TENTATIVE'],
    ['cancelled', 'CANCELLED'],
  ] as const)('tells that one that is %s is %s', async (given, expected) => {
    const postponed_to = new Date('2026-10-16T16:00:00Z');
    expect(status(await only({ status: given, postponed_to }))).toBe(expected);
  });

  test.each([
    'Přehlídka; sbor, orchestr \\ tanec: "hned"',
    `🎉👩‍👩‍👧 ${'žluťoučký '.repeat(15)}konec`,
    'BEGIN:VEVENT',
    'back\\nslash \\; \\, \\\\',
  ])('folds and escapes so that nothing is lost of %j', async (text) => {
    const description = `${text}\n\nSecond; line, \\ and so on\n${text}`;
    const event = await only({ title: text, description, location_name: text });
    expect(event.summary).toBe(text);
    expect(event.location).toBe(text);
    expect(event.description).toContain(description);
  });
});
