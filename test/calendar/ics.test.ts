import { describe, expect, test } from 'vitest';
import { calendarOfDates, foldedLines } from '../../src/calendar/ics.ts';
import type { SchoolEvent } from '../../src/events/event.ts';
import { fair } from '../channels/templates/texts-samples.ts';
import { eventsIn } from '../support/read-ics.ts';

const details = {
  stamp: '20260820T101500Z',
  url: 'https://school.example/events/1',
  location: 'Aula, room 12',
  comment: '',
  organizer: { name: 'ZŠ Lipová', address: 'school@school.example' },
  attendee: { answer: 'PARTSTAT=ACCEPTED;RSVP=FALSE', address: 'jana@home.example' },
};

const written = (about: Partial<SchoolEvent> = {}, method: 'REQUEST' | 'CANCEL' = 'REQUEST') =>
  calendarOfDates([{ event: fair(about), details }], method);

/** What ical.js reads in the only event, which has each property once. */
function read(text: string): Record<string, string> {
  const [event, ...others] = eventsIn(text);
  expect(others).toEqual([]);
  const properties = event?.component.getAllProperties() ?? [];
  const found = Object.fromEntries(properties.map((one) => [one.name, String(one.getFirstValue())]));
  expect(Object.keys(found)).toHaveLength(properties.length);
  return found;
}

describe('a calendar object', () => {
  test('tells a calendar which event it is, and which version of it', () => {
    expect(read(written())).toMatchObject({
      uid: '0197c1a2-7b1e-7c3d-9a4f-1c2d3e4f5a6b@schoolbell',
      sequence: '3',
      status: 'CONFIRMED',
      dtstamp: '2026-08-20T10:15:00Z',
      dtstart: '2026-09-07T16:00:00Z',
      dtend: '2026-09-07T17:30:00Z',
      summary: 'Autumn fair',
      location: 'Aula, room 12',
      description: 'Stalls, music and something warm to drink.\n\nBring your family, and a bag for apples.',
      url: 'https://school.example/events/1',
      'x-microsoft-cdo-busystatus': 'BUSY',
    });
    const lines = written().replaceAll('\r\n ', '').split('\r\n');
    expect(lines).toContain('ORGANIZER;CN="ZŠ Lipová":mailto:school@school.example');
    expect(lines).toContain('ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:jana@home.example');
  });

  test.each([
    ['published', 'REQUEST', 'CONFIRMED'],
    ['postponed', 'REQUEST', 'TENTATIVE'],
    ['postponed', 'CANCEL', 'CANCELLED'],
    ['cancelled', 'CANCEL', 'CANCELLED'],
  ] as const)('of a %s event sent as %s is %s', (status, method, expected) => {
    const postponed_to = new Date('2026-10-16T16:00:00Z');
    const text = written({ status, postponed_to }, method);
    expect(text).toContain(`METHOD:${method}\r\n`);
    expect(read(text)).toMatchObject({ status: expected });
  });

  test('without a duration has no end', () => {
    expect(read(written({ end_time: '18:00' }))).not.toHaveProperty('dtend');
  });

  test.each([
    'Přehlídka; sbor, orchestr \\ tanec: "hned"',
    'Lines\r\nBEGIN:VEVENT\r\nUID:evil',
    'END:VEVENT',
    '🎉👩‍👩‍👧 žluťoučký '.repeat(20),
    'ATTENDEE:mailto:x@y.example\u0000\u2028x',
    'back\\nslash \\; \\, \\\\',
  ])('keeps one event, from which nothing is lost, with the title %j', (title) => {
    const organizer = { name: `${title}"; X="`, address: 'school@school.example' };
    const event = fair({ title, description: `${title}\r\n\r\nSecond; line, \\ and so on` });
    const text = calendarOfDates([{ event, details: { ...details, location: title, organizer } }], 'REQUEST');
    const summary = title.replace(/[\p{Cc}\u2028]+/gu, ' ').trim();
    expect(read(text)).toMatchObject({ summary, location: summary, attendee: 'mailto:jana@home.example' });
    expect(read(text).description).toContain('\n\nSecond; line, \\ and so on');
    expect(text.replaceAll('\r\n ', '')).toContain(`'; X='":mailto:school@school.example\r\n`);
    // no line ends within a character
    expect(String(Buffer.from(text))).toBe(text);
  });

  test('escapes the characters that separate values', () => {
    const text = written({ title: 'a;b,c\\d', description: 'e\r\nf' });
    expect(text).toContain('SUMMARY:a\\;b\\,c\\\\d\r\n');
    expect(text).toContain('DESCRIPTION:e\\nf\r\n');
  });

  test('shortens a long description', () => {
    const { description = '' } = read(written({ description: '🎉'.repeat(5000) }));
    expect(description).toHaveLength(999);
    expect(description.endsWith('🎉…')).toBe(true);
  });

  test('can do without an attendee', () => {
    const text = calendarOfDates([{ event: fair(), details: { ...details, attendee: null } }], 'PUBLISH');
    expect(text).toContain('METHOD:PUBLISH\r\n');
    expect(text).not.toContain('ATTENDEE');
  });
});

test('a long line is folded into as few lines as it needs', () => {
  expect(foldedLines(['a'.repeat(200)])).toBe(`${'a'.repeat(75)}\r\n ${'a'.repeat(74)}\r\n ${'a'.repeat(51)}\r\n`);
  expect(foldedLines(['a'.repeat(75)])).toBe(`${'a'.repeat(75)}\r\n`);
});
