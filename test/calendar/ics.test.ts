import { describe, expect, test } from 'vitest';
import { calendarOfDates, foldedLines } from '../../src/calendar/ics.ts';
import type { SchoolEvent } from '../../src/events/event.ts';
import { fair } from '../channels/templates/texts-samples.ts';

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

/** A second reader: RFC 5545 §3.1 lines unfolded, one component within the other, each property once. */
function read(text: string): Record<string, string> {
  expect(text.endsWith('\r\n')).toBe(true);
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  const lines = text
    .replace(/\r\n[ \t]/g, '')
    .trimEnd()
    .split('\r\n');
  expect(lines[0]).toBe('BEGIN:VCALENDAR');
  expect(lines.at(-1)).toBe('END:VCALENDAR');
  expect(lines.filter((line) => /^(BEGIN|END):/.test(line)).join()).toBe(
    'BEGIN:VCALENDAR,BEGIN:VEVENT,END:VEVENT,END:VCALENDAR',
  );
  const found: Record<string, string> = {};
  for (const line of lines.filter((one) => !/^(BEGIN|END):/.test(one))) {
    const [, name = '', parameters = '', value = ''] =
      /^([A-Z-]+)((?:;[A-Z-]+=(?:"[^"]*"|[^";:,]*))*):(.*)$/.exec(line) ?? [];
    expect(name, line).not.toBe('');
    expect(found).not.toHaveProperty([name]);
    found[name] = value.replace(/\\([\\;,nN])/g, (_, one: string) => (/n/i.test(one) ? '\n' : one));
    found[`${name} parameters`] = parameters;
  }
  return found;
}

describe('a calendar object', () => {
  test('tells a calendar which event it is, and which version of it', () => {
    expect(read(written())).toMatchObject({
      VERSION: '2.0',
      METHOD: 'REQUEST',
      UID: '0197c1a2-7b1e-7c3d-9a4f-1c2d3e4f5a6b@schoolbell',
      SEQUENCE: '3',
      STATUS: 'CONFIRMED',
      DTSTAMP: '20260820T101500Z',
      DTSTART: '20260907T160000Z',
      DTEND: '20260907T173000Z',
      SUMMARY: 'Autumn fair',
      LOCATION: 'Aula, room 12',
      DESCRIPTION: 'Stalls, music and something warm to drink.\n\nBring your family, and a bag for apples.',
      URL: 'https://school.example/events/1',
      'X-MICROSOFT-CDO-BUSYSTATUS': 'BUSY',
      ORGANIZER: 'mailto:school@school.example',
      'ORGANIZER parameters': ';CN="ZŠ Lipová"',
      ATTENDEE: 'mailto:jana@home.example',
      'ATTENDEE parameters': ';ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE',
    });
  });

  test.each([
    ['published', 'REQUEST', 'CONFIRMED'],
    ['postponed', 'REQUEST', 'TENTATIVE'],
    ['postponed', 'CANCEL', 'CANCELLED'],
    ['cancelled', 'CANCEL', 'CANCELLED'],
  ] as const)('of a %s event sent as %s is %s', (status, method, expected) => {
    const postponed_to = new Date('2026-10-16T16:00:00Z');
    expect(read(written({ status, postponed_to }, method))).toMatchObject({ METHOD: method, STATUS: expected });
  });

  test('without a duration has no end', () => {
    expect(read(written({ end_time: '18:00' }))).not.toHaveProperty('DTEND');
  });

  test.each([
    'Přehlídka; sbor, orchestr \\ tanec',
    'Lines\r\nBEGIN:VEVENT\r\nUID:evil',
    'END:VEVENT',
    `🎉👩‍👩‍👧 ${'žluťoučký '.repeat(30)}`,
    'ATTENDEE:mailto:x@y.example\u0000\u2028x',
  ])('keeps one event and short lines with the title %j', (title) => {
    const organizer = { name: `${title}"; X="`, address: 'school@school.example' };
    const event = fair({ title, description: title });
    const text = calendarOfDates([{ event, details: { ...details, location: title, organizer } }], 'REQUEST');
    const shown = title.replace(/[\p{Cc}\u2028]+/gu, ' ').trim();
    expect(read(text)).toMatchObject({ SUMMARY: shown, LOCATION: shown, ATTENDEE: 'mailto:jana@home.example' });
    for (const line of text.split('\r\n')) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      expect(line).not.toContain('\ufffd');
    }
  });

  test('escapes the characters that separate values', () => {
    const text = written({ title: 'a;b,c\\d', description: 'e\r\nf' });
    expect(text).toContain('SUMMARY:a\\;b\\,c\\\\d\r\n');
    expect(text).toContain('DESCRIPTION:e\\nf\r\n');
  });

  test('shortens a long description', () => {
    const { DESCRIPTION = '' } = read(written({ description: '🎉'.repeat(5000) }));
    expect(DESCRIPTION).toHaveLength(999);
    expect(DESCRIPTION.endsWith('🎉…')).toBe(true);
  });

  test('can do without an attendee', () => {
    const text = calendarOfDates([{ event: fair(), details: { ...details, attendee: null } }], 'PUBLISH');
    expect(read(text)).toMatchObject({ METHOD: 'PUBLISH' });
    expect(text).not.toContain('ATTENDEE');
  });
});

test('a long line is folded into as few lines as it needs', () => {
  expect(foldedLines(['a'.repeat(200)])).toBe(`${'a'.repeat(75)}\r\n ${'a'.repeat(74)}\r\n ${'a'.repeat(51)}\r\n`);
  expect(foldedLines(['a'.repeat(75)])).toBe(`${'a'.repeat(75)}\r\n`);
});
