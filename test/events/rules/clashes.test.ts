import { describe, expect, test } from 'vitest';
import { daysOf } from '../../../src/core/zoned-time.ts';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { canClash, freeTimes, sharedBy, spanOf } from '../../../src/events/rules/clashes.ts';
import { anEvent, at } from '../../support/builders.ts';

const room = (name: string, building?: string) => ({ location: { room: name, ...(building ? { building } : {}) } });

/** Two events of different organizers. */
const pair = (a: Partial<SchoolEvent>, b: Partial<SchoolEvent>) =>
  [anEvent({ id: 'a', organizer_id: 'anna', ...a }), anEvent({ id: 'b', organizer_id: 'boris', ...b })] as const;

describe('two events at the same time', () => {
  test.each<[string, Partial<SchoolEvent>, Partial<SchoolEvent>, string[]]>([
    ['share a room, written in another way', room(' Hall  A '), room('hall a'), ['place']],
    ['share nothing in two rooms', room('A1'), room('A2'), []],
    ['share a room if only one names the building', room('A1', 'Old school'), room('A1'), ['place']],
    ['share a room if only the other names the building', room('A1'), room('A1', 'Old school'), ['place']],
    ['share nothing in rooms of the same name in two buildings', room('A1', 'Old'), room('A1', 'New'), []],
    ['share a room if both name the same building', room('A1', 'Old'), room('A1', 'OLD'), ['place']],
    [
      'share nothing in rooms of the same name in two places',
      { location_name: 'School', ...room('A1') },
      { location_name: 'Library', ...room('A1') },
      [],
    ],
    ['share a place without rooms', { location_name: 'Gym' }, { location: { name: 'gym' } }, ['place']],
    [
      'share the place that people read if another field names a further one',
      { location_name: 'School', location: { name: 'Gym' } },
      { location_name: 'Gym' },
      ['place'],
    ],
    [
      'share a place with an accent typed in two ways',
      { location_name: 'Hřiště' },
      { location_name: 'Hřiště'.normalize('NFD') },
      ['place'],
    ],
    ['share nothing in two places without rooms', { location_name: 'Gym' }, { location_name: 'Library' }, []],
    [
      'share nothing if one is in a room of the place',
      { location_name: 'School' },
      { location_name: 'School', ...room('A1') },
      [],
    ],
    ['share nothing without any place', {}, {}, []],
    ['share no place online', { location: { isVirtual: true, room: 'A1' } }, room('A1'), []],
    ['share no place if the other is online', room('A1'), { location: { isVirtual: true, room: 'A1' } }, []],
    ['share a class', { class_id: '5.A' }, { class_id: '5.A' }, ['class']],
    [
      'share a grade if one is for all of it',
      { grade_level_ids: ['5'] },
      { class_id: '5.A', grade_level_ids: ['5', '6'] },
      ['grade'],
    ],
    [
      'share a grade if the other is for all of it',
      { class_id: '5.A', grade_level_ids: ['5'] },
      { grade_level_ids: ['5'] },
      ['grade'],
    ],
    [
      'share nothing for two classes of a grade',
      { class_id: '5.A', grade_level_ids: ['5'] },
      { class_id: '5.B', grade_level_ids: ['5'] },
      [],
    ],
    ['share an organizer', {}, { organizer_id: 'anna' }, ['organizer']],
    ['share no organizer if neither has one', { organizer_id: null }, { organizer_id: null }, []],
    [
      'share everything at once',
      { class_id: '5.A', ...room('A1') },
      { class_id: '5.A', organizer_id: 'anna', ...room('A1') },
      ['place', 'class', 'organizer'],
    ],
    ['meet a holiday', { class_id: '5.A' }, { event_type: 'holiday', class_id: '5.A' }, ['holiday']],
    ['share nothing if the first is a holiday', { event_type: 'holiday', class_id: '5.A' }, { class_id: '5.A' }, []],
    ['share nothing with a draft', room('A1'), { status: 'draft', ...room('A1') }, []],
    ['share nothing with a cancelled event', room('A1'), { status: 'cancelled', ...room('A1') }, []],
    ['share nothing with an event postponed to no date yet', room('A1'), { status: 'postponed', ...room('A1') }, []],
    [
      'share a room with an event postponed to this time',
      room('A1'),
      { status: 'postponed', postponed_to: at('2026-10-16T18:00:00Z'), ...room('A1') },
      ['place'],
    ],
    [
      'share nothing within a series',
      { parent_event_id: 's', ...room('A1') },
      { parent_event_id: 's', ...room('A1') },
      [],
    ],
  ])('%s', (_name, a, b, shared) => {
    expect(sharedBy(...pair(a, b))).toEqual(shared);
  });

  test('never share anything with themselves', () => {
    expect(sharedBy(anEvent(room('A1')), anEvent(room('A1')))).toEqual([]);
  });
});

test('a draft can clash; an event that is cancelled, deleted or without a date can’t', () => {
  expect(canClash(anEvent({ status: 'draft' }))).toBe(true);
  expect(canClash(anEvent({ status: 'published' }))).toBe(true);
  expect(canClash(anEvent({ status: 'cancelled' }))).toBe(false);
  expect(canClash(anEvent({ status: 'postponed', postponed_to: null }))).toBe(false);
  expect(canClash(anEvent({ deleted_at: at('2026-09-01T08:00:00Z') }))).toBe(false);
});

test('an all-day event lasts from midnight to midnight in its zone', () => {
  const { from, until } = spanOf(anEvent({ all_day: true, timezone: 'Europe/Prague', end_date: '2026-10-17' }));
  expect([from, until]).toEqual([at('2026-10-15T22:00:00Z'), at('2026-10-17T22:00:00Z')]);
});

test('an event of some hours lasts from its start to its end', () => {
  const { starts_at, ends_at } = anEvent({});
  expect(spanOf(anEvent({}))).toMatchObject({ from: starts_at, until: ends_at });
});

describe('free times', () => {
  // A Friday, 9:00 to 10:00 UTC.
  const meeting = anEvent({ starts_at: at('2026-10-16T09:00:00Z'), ends_at: at('2026-10-16T10:00:00Z') });
  const now = at('2026-10-16T06:00:00Z');
  const span = (from: string, until: string) => ({
    ...daysOf('2026-10-16', '2026-10-16', 'UTC'),
    from: at(from),
    until: at(until),
  });
  const starts = (found: ReturnType<typeof freeTimes>) => found.map((one) => `${one.start_date} ${one.start_time}`);

  test('are the nearest two of the same day and the same time on the next working day', () => {
    const taken = [
      span('2026-10-16T09:00:00Z', '2026-10-16T10:00:00Z'),
      span('2026-10-20T09:00:00Z', '2026-10-20T10:00:00Z'),
    ];
    expect(freeTimes(meeting, taken, at('2026-10-01T06:00:00Z'))).toEqual([
      { start_date: '2026-10-16', start_time: '08:00', end_date: '2026-10-16', end_time: '09:00' },
      { start_date: '2026-10-16', start_time: '10:00', end_date: '2026-10-16', end_time: '11:00' },
      { start_date: '2026-10-19', start_time: '09:00', end_date: '2026-10-19', end_time: '10:00' },
    ]);
  });

  test('are other days if the whole day is taken, and never in the past', () => {
    const taken = [span('2026-10-16T08:00:00Z', '2026-10-16T20:00:00Z')];
    expect(starts(freeTimes(meeting, taken, at('2026-10-16T07:30:00Z')))).toEqual([
      '2026-10-19 09:00',
      '2026-10-20 09:00',
      '2026-10-21 09:00',
    ]);
  });

  test('end by 20:00 on the same day, and skip days on which the time is taken', () => {
    const taken = [
      span('2026-10-16T06:00:00Z', '2026-10-16T19:00:00Z'),
      span('2026-10-19T09:30:00Z', '2026-10-19T10:30:00Z'),
    ];
    expect(starts(freeTimes(meeting, taken, now))).toEqual([
      '2026-10-16 19:00',
      '2026-10-20 09:00',
      '2026-10-21 09:00',
    ]);
  });

  test('end by 20:00 also if the event does not last full half hours', () => {
    const short = { ...meeting, ends_at: at('2026-10-16T09:45:00Z') };
    const taken = [span('2026-10-16T06:00:00Z', '2026-10-16T19:15:00Z')];
    expect(starts(freeTimes(short, taken, now))[0]).toBe('2026-10-19 09:00');
  });

  test('begin on the day after the event', () => {
    const days = { start_date: '2026-10-14', end_date: '2026-10-14' };
    const wednesday = {
      ...meeting,
      ...days,
      starts_at: at('2026-10-14T09:00:00Z'),
      ends_at: at('2026-10-14T22:00:00Z'),
    };
    expect(starts(freeTimes(wednesday, [], at('2026-10-14T08:00:00Z')))).toEqual([
      '2026-10-15 09:00',
      '2026-10-16 09:00',
      '2026-10-19 09:00',
    ]);
  });

  test('are on the wall clock of the event’s zone', () => {
    const inPrague = { ...meeting, timezone: 'Europe/Prague' };
    const taken = [span('2026-10-16T08:30:00Z', '2026-10-16T18:00:00Z')];
    expect(starts(freeTimes(inPrague, taken, now))[0]).toBe('2026-10-16 09:30');
  });

  test('are not suggested for an event of whole days, or longer than 7:00 to 20:00', () => {
    expect(freeTimes({ ...meeting, all_day: true }, [], now)).toEqual([]);
    expect(freeTimes({ ...meeting, ends_at: at('2026-10-16T22:01:00Z') }, [], now)).toEqual([]);
  });
});
