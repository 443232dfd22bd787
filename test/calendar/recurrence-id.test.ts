import ICAL from 'ical.js';
import { describe, expect, test } from 'vitest';
import { calendarFile } from '../../src/calendar/calendar-file.ts';
import { calendarOfDates } from '../../src/calendar/ics.ts';
import { utcStamp } from '../../src/core/zoned-time.ts';
import { furtherOccurrences } from '../../src/events/create.ts';
import type { SchoolEvent } from '../../src/events/event.ts';
import { draftOf } from '../../src/events/rules/defaults.ts';
import { edited } from '../../src/events/rules/edits.ts';
import { type Move, moved } from '../../src/events/rules/transitions.ts';
import { aCaller, anEvent, NOW } from '../support/builders.ts';
import { collect } from '../support/collect.ts';

/** A calendar program as RFC 5546 wants it: an object replaces the one of the same UID and RECURRENCE-ID, if not older. */
function reader() {
  const held = new Map<string, ICAL.Event>();
  return {
    take(text: string) {
      for (const component of new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')) {
        const event = new ICAL.Event(component);
        const key = `${event.uid} ${component.getFirstPropertyValue('recurrence-id') ?? ''}`;
        if (event.sequence >= (held.get(key)?.sequence ?? 0)) held.set(key, event);
      }
    },
    starts: () => [...held.values()].map((event) => event.startDate.toString()).sort(),
    statuses: () => [...held.values()].map((event) => event.component.getFirstPropertyValue('status')),
  };
}

const DETAILS = {
  stamp: utcStamp(NOW),
  url: 'https://school.example/events/1',
  location: '',
  comment: '',
  organizer: { name: 'School', address: 'school@school.example' },
  attendee: { answer: 'PARTSTAT=ACCEPTED;RSVP=FALSE', address: 'jana@home.example' },
};

const objectOf = (event: SchoolEvent, method: 'REQUEST' | 'CANCEL') =>
  calendarOfDates([{ event, details: DETAILS }], method);
const invited = (event: SchoolEvent) => objectOf(event, 'REQUEST');

/** The second date of a weekly series, published. */
function occurrence(more: Partial<SchoolEvent> = {}): SchoolEvent {
  const rule = { is_recurring: true, recurrence_pattern: 'weekly', recurrence_count: 3 } as const;
  const first = draftOf({ ...anEvent(), timezone: 'Europe/Prague', ...rule, ...more }, aCaller(), NOW);
  const [change] = furtherOccurrences(first, aCaller(), NOW);
  if (!change) throw new Error('a series of one');
  const second = change.after;
  return { ...second, status: 'published', published_at: NOW };
}

function after(result: ReturnType<typeof edited>): SchoolEvent {
  if (!('after' in result)) throw new Error(JSON.stringify(result));
  return result.after;
}
const edit = (event: SchoolEvent, patch: Parameters<typeof edited>[1]) => after(edited(event, patch, 'system', NOW));
const move = (event: SchoolEvent, to: Move) => after(moved(event, to, 'system', NOW));

describe('a calendar that took an invitation', () => {
  test.each<[string, (event: SchoolEvent) => SchoolEvent, string]>([
    ['another time', (event) => edit(event, { start_time: '19:30', end_time: '21:00' }), '2026-10-23T17:30:00Z'],
    [
      'another day',
      (event) => edit(event, { start_date: '2026-11-02', end_date: '2026-11-02' }),
      '2026-11-02T17:00:00Z',
    ],
    ['another zone', (event) => edit(event, { timezone: 'America/New_York' }), '2026-10-23T22:00:00Z'],
    ['a whole day', (event) => edit(event, { all_day: true, start_time: null, end_time: null }), '2026-10-23'],
    [
      'a postponement',
      (event) =>
        move(event, {
          action: 'postpone',
          input: { reason: 'storm', new_start_date: '2026-11-05', new_start_time: '10:00' },
        }),
      '2026-11-05T09:00:00Z',
    ],
    [
      'one move after the other',
      (event) => edit(edit(event, { start_time: '17:00' }), { start_date: '2026-10-24', end_date: '2026-10-24' }),
      '2026-10-24T15:00:00Z',
    ],
  ])('holds the occurrence once after %s', (_what, change, expected) => {
    const event = occurrence();
    const changed = change(event);
    const calendar = reader();
    calendar.take(invited(event));
    expect(calendar.starts()).toEqual(['2026-10-23T16:00:00Z']);
    calendar.take(invited(changed));
    expect(calendar.starts()).toEqual([expected]);
    calendar.take(objectOf({ ...changed, status: 'cancelled', sequence: changed.sequence + 1 }, 'CANCEL'));
    expect(calendar.statuses()).toEqual(['CANCELLED']);
  });

  test('tells a day that got a time from the days beside it', () => {
    const event = occurrence({ all_day: true, start_time: null, end_time: null });
    const calendar = reader();
    calendar.take(invited(event));
    calendar.take(invited(edit(event, { all_day: false, start_time: '08:00', end_time: '09:00' })));
    expect(calendar.starts()).toEqual(['2026-10-23T06:00:00Z']);
  });

  test('finds the same occurrence in the file of one date', async () => {
    const event = occurrence();
    const calendar = reader();
    calendar.take(invited(event));
    const moved = edit(event, { start_time: '19:30', end_time: '21:00' });
    const file = await collect(calendarFile([[moved]], { name: null, eventPage: 'https://school.example/events/' }));
    calendar.take(file.join(''));
    expect(calendar.starts()).toEqual(['2026-10-23T17:30:00Z']);
  });
});
