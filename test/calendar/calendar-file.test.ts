import { describe, expect, test } from 'vitest';
import { calendarFile } from '../../src/calendar/calendar-file.ts';
import type { SchoolEvent } from '../../src/events/event.ts';
import { anEvent, at } from '../support/builders.ts';
import { collect } from '../support/collect.ts';
import { one, readIcs, textOf } from '../support/read-ics.ts';

const HEAD = { name: 'Lipová, school', publicUrl: 'https://bell.test' };
const prague: Partial<SchoolEvent> = {
  timezone: 'Europe/Prague',
  start_date: '2026-10-24',
  start_time: '20:00',
  end_date: '2026-10-25',
  end_time: '08:00',
  starts_at: at('2026-10-24T18:00:00Z'),
  ends_at: at('2026-10-25T07:00:00Z'),
};
const written = async (...events: SchoolEvent[]) => (await collect(calendarFile([events], HEAD))).join('');
const events = async (...list: Partial<SchoolEvent>[]) =>
  readIcs(await written(...list.map((more, n) => anEvent({ id: `event-${n}`, ...more }))));
const only = async (more: Record<string, unknown>) => {
  const found = (await events(more as Partial<SchoolEvent>)).parts.find(({ name }) => name === 'VEVENT');
  if (!found) throw new Error('no event');
  return found;
};

describe('a calendar to subscribe to', () => {
  test('says what it is called and how often to ask', async () => {
    const calendar = await events({});
    expect(textOf(calendar, 'NAME')).toBe('Lipová, school');
    expect(one(calendar, 'REFRESH-INTERVAL')).toMatchObject({ params: { VALUE: 'DURATION' }, value: 'PT1H' });
    expect(one(calendar, 'METHOD')?.value).toBe('PUBLISH');
  });

  test('states times as instants in UTC, on both sides of a clock change', async () => {
    const calendar = await events(prague, {});
    expect(calendar.parts.map(({ name }) => name)).toEqual(['VEVENT', 'VEVENT']);
    const event = calendar.parts[0];
    expect(event && one(event, 'DTSTART')).toMatchObject({ params: {}, value: '20261024T180000Z' });
    expect(event && one(event, 'DTEND')).toMatchObject({ params: {}, value: '20261025T070000Z' });
  });

  test('writes an event of a thousand years as fast as one of an hour', async () => {
    const millennium: Partial<SchoolEvent> = {
      ...prague,
      start_date: '1900-01-01',
      end_date: '2999-12-31',
      starts_at: at('1900-01-01T19:00:00Z'),
      ends_at: at('2999-12-31T07:00:00Z'),
    };
    const began = performance.now();
    const lines = (await written(anEvent(millennium))).split('\r\n');
    expect(performance.now() - began).toBeLessThan(500);
    expect(lines.length).toBeLessThan(30);
    expect(lines).toContain('DTEND:29991231T070000Z');
  });

  test('has whole days as dates', async () => {
    const event = await only({
      all_day: true,
      start_date: '2026-10-30',
      end_date: '2026-10-31',
      timezone: 'Asia/Tokyo',
    });
    expect(one(event, 'DTSTART')).toMatchObject({ params: { VALUE: 'DATE' }, value: '20261030' });
    expect(one(event, 'DTEND')).toMatchObject({ value: '20261101' });
  });

  test.each([
    ['published', 'CONFIRMED'],
    ['scheduled', 'TENTATIVE'],
    ['postponed', 'TENTATIVE'],
    ['in_progress', 'CONFIRMED'],
    ['completed', 'CONFIRMED'],
    ['cancelled', 'CANCELLED'],
  ])('tells that one that is %s is %s', async (status, expected) => {
    expect(one(await only({ status }), 'STATUS')?.value).toBe(expected);
  });

  test('has occurrences of one series under one UID, each where its rule put it', async () => {
    const series = { parent_event_id: 'event-0', is_recurring: true };
    const calendar = await events(
      { ...prague, is_recurring: true, occurrence_date: '2026-10-24', recurrence_id: '20261024T180000Z' } as never,
      {
        ...prague,
        ...series,
        occurrence_date: '2026-10-31',
        recurrence_id: '20261031T190000Z',
        start_date: '2026-11-01',
      } as never,
    );
    const found = calendar.parts.filter(({ name }) => name === 'VEVENT');
    expect(found.map((event) => one(event, 'UID')?.value)).toEqual(['event-0@schoolbell', 'event-0@schoolbell']);
    expect(found.map((event) => one(event, 'RECURRENCE-ID')?.value)).toEqual(['20261024T180000Z', '20261031T190000Z']);
    const days = { all_day: true, start_time: null, occurrence_date: '2026-10-31', recurrence_id: '20261031' };
    expect(one(await only(days), 'RECURRENCE-ID')).toMatchObject({ params: { VALUE: 'DATE' }, value: '20261031' });
    expect(one(await only({}), 'RECURRENCE-ID')).toBeUndefined();
  });

  test.each([
    'Přehlídka; sbor, orchestr \\ tanec: "hned"',
    'Lines\r\nBEGIN:VEVENT\r\nUID:evil',
    `🎉👩‍👩‍👧 ${'žluťoučký '.repeat(30)}`,
    'ATTENDEE:mailto:x@y.example\u0000\u2028x',
  ])('holds whatever a title is, such as %j', async (title) => {
    const event = await only({ title, description: title, location_name: title, tags: [title] });
    expect(textOf(event, 'SUMMARY')).toBe(title.replace(/[\p{Cc}\u2028]+/gu, ' ').trim());
    expect(textOf(event, 'LOCATION')).toBe(textOf(event, 'SUMMARY'));
  });

  test('is the same text for the same events, however they come in batches', async () => {
    expect(await written(anEvent(prague))).toBe(await written(anEvent(prague)));
    const batches = [[anEvent(prague)], [], [anEvent({ id: 'second' })]];
    const parts = await collect(calendarFile(batches, HEAD));
    expect(parts.join('')).toBe(await written(...batches.flat()));
    const later = anEvent({ ...prague, sequence: 9 });
    expect(await written(later)).not.toBe(await written(anEvent(prague)));
  });
});
