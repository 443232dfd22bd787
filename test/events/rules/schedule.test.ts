import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endAfter, instantsOf, movedTo, type NewDates } from '../../../src/events/rules/schedule.ts';
import type { Schedule } from '../../../src/outbox/fact.ts';

const aSchedule = (more: Partial<Schedule> = {}): Schedule => ({
  start_date: '2026-10-16',
  end_date: '2026-10-16',
  start_time: '18:00',
  end_time: '20:00',
  timezone: 'Europe/Prague',
  all_day: false,
  ...more,
});
const allDay = (more: Partial<Schedule> = {}) =>
  aSchedule({ all_day: true, start_time: null, end_time: null, ...more });
const isoInstants = ({ starts_at, ends_at }: { starts_at: Date; ends_at: Date }) => [
  starts_at.toISOString(),
  ends_at.toISOString(),
];

test('a timed event lasts from wall clock to wall clock in its zone', () => {
  expect(isoInstants(instantsOf(aSchedule()))).toEqual(['2026-10-16T16:00:00.000Z', '2026-10-16T18:00:00.000Z']);
});

test.each([
  ['an ordinary day', '2026-10-16', '2026-10-16', '2026-10-15T22:00:00.000Z', '2026-10-16T22:00:00.000Z'],
  ['a day of 23 hours', '2026-03-29', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['a day of 25 hours', '2026-10-25', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  ['a week', '2026-10-23', '2026-10-29', '2026-10-22T22:00:00.000Z', '2026-10-29T23:00:00.000Z'],
  ['the turn of the year', '2026-12-31', '2026-12-31', '2026-12-30T23:00:00.000Z', '2026-12-31T23:00:00.000Z'],
])('all-day, %s: 00:00 of the first day to 24:00 of the last', (_, start_date, end_date, from, to) => {
  expect(isoInstants(instantsOf(allDay({ start_date, end_date })))).toEqual([from, to]);
});

test('an event of several days whose start a clock change skips ends at its end on the clock', () => {
  const skipped = aSchedule({ start_date: '2026-03-29', start_time: '02:30', end_date: '2026-03-30' });
  expect(isoInstants(instantsOf(skipped))).toEqual(['2026-03-29T01:30:00.000Z', '2026-03-30T18:00:00.000Z']);
});

const moves: [string, Partial<Schedule>, NewDates, Partial<Schedule>][] = [
  [
    'only a new date keeps the times',
    {},
    { new_start_date: '2026-11-20' },
    { start_date: '2026-11-20', end_date: '2026-11-20', start_time: '18:00', end_time: '20:00' },
  ],
  [
    'only a new date keeps the number of days',
    { end_date: '2026-10-18' },
    { new_start_date: '2026-12-30' },
    { start_date: '2026-12-30', end_date: '2027-01-01' },
  ],
  [
    'null is as good as missing',
    {},
    { new_start_date: '2026-11-20', new_end_date: null, new_start_time: null, new_end_time: null },
    { start_date: '2026-11-20', end_date: '2026-11-20', start_time: '18:00', end_time: '20:00' },
  ],
  [
    'a new start time keeps the duration',
    {},
    { new_start_date: '2026-11-20', new_start_time: '09:30' },
    { end_date: '2026-11-20', start_time: '09:30', end_time: '11:30' },
  ],
  [
    'a new start time may carry the end over midnight',
    {},
    { new_start_date: '2026-12-31', new_start_time: '23:15' },
    { start_date: '2026-12-31', end_date: '2027-01-01', start_time: '23:15', end_time: '01:15' },
  ],
  [
    'an event over midnight may come back to one day',
    { start_time: '23:00', end_date: '2026-10-17', end_time: '01:00' },
    { new_start_date: '2026-11-20', new_start_time: '10:00' },
    { end_date: '2026-11-20', end_time: '12:00' },
  ],
  [
    'an event over midnight stays over midnight',
    { start_time: '23:00', end_date: '2026-10-17', end_time: '01:00' },
    { new_start_date: '2026-11-20' },
    { end_date: '2026-11-21', start_time: '23:00', end_time: '01:00' },
  ],
  [
    'what is given counts',
    {},
    {
      new_start_date: '2026-11-20',
      new_end_date: '2026-11-21',
      new_start_time: '08:00',
      new_end_time: '12:00',
    },
    { start_date: '2026-11-20', end_date: '2026-11-21', start_time: '08:00', end_time: '12:00' },
  ],
  [
    'a new end time alone leaves the start time',
    {},
    { new_start_date: '2026-11-20', new_end_time: '21:00' },
    { end_date: '2026-11-20', start_time: '18:00', end_time: '21:00' },
  ],
  [
    'a new end date alone leaves the times',
    {},
    { new_start_date: '2026-11-20', new_end_date: '2026-11-22' },
    { end_date: '2026-11-22', start_time: '18:00', end_time: '20:00' },
  ],
];

test.each(moves)('%s', (_, before, dates, after) => {
  const schedule = aSchedule(before);
  expect(movedTo(schedule, dates)).toMatchObject({ ...after, timezone: 'Europe/Prague', all_day: false });
});

test('an all-day event keeps its days and has no times', () => {
  const moved = movedTo(allDay({ end_date: '2026-10-18' }), { new_start_date: '2026-02-27' });
  expect(moved).toEqual(allDay({ start_date: '2026-02-27', end_date: '2026-03-01' }));
});

// docs/decisions.md: "Without an end date or times the event keeps its duration and times."
test('a new start time with an end date and no end time keeps the duration', () => {
  const dates = { new_start_date: '2026-11-20', new_end_date: '2026-11-20', new_start_time: '21:00' };
  expect(movedTo(aSchedule(), dates)).toMatchObject({ end_date: '2026-11-20', end_time: '23:00' });
});

// The times of an event are used if it is not all-day.
test('an all-day event takes no times from a postponement', () => {
  expect(movedTo(allDay(), { new_start_date: '2026-11-20', new_start_time: '09:00' }).start_time).toBeNull();
});

const pad = (value: number) => String(value).padStart(2, '0');
const clock = fc.tuple(fc.nat(23), fc.nat(59)).map(([hour, minute]) => `${pad(hour)}:${pad(minute)}`);
const day = fc.nat(3000).map((days) => new Date(Date.UTC(2024, 0, 1 + days)).toISOString().slice(0, 10));
const wallMs = (date: string, time: string) => Date.parse(`${date}T${time}:00Z`);

test('keeps the length of an event under any new date and start time', () => {
  const durations = fc.integer({ min: 1, max: 5000 });
  fc.assert(
    fc.property(day, clock, durations, day, clock, (date, time, minutes, new_start_date, new_start_time) => {
      const end = new Date(wallMs(date, time) + minutes * 60_000).toISOString();
      const end_date = end.slice(0, 10);
      const schedule = aSchedule({ start_date: date, start_time: time, end_date, end_time: end.slice(11, 16) });
      const moved = movedTo(schedule, { new_start_date, new_start_time });
      const lasted = wallMs(moved.end_date, moved.end_time ?? '') - wallMs(moved.start_date, moved.start_time ?? '');
      expect([moved.start_date, moved.start_time, lasted]).toEqual([new_start_date, new_start_time, minutes * 60_000]);
    }),
  );
});

test.each([
  ['2026-10-16', '09:00', 60, '2026-10-16', '10:00'],
  ['2026-10-16', '23:30', 45, '2026-10-17', '00:15'],
  ['2026-10-16', '23:00', 60, '2026-10-17', '00:00'],
  ['2026-02-28', '23:00', 1440, '2026-03-01', '23:00'],
  ['2028-02-28', '12:00', 2 * 1440, '2028-03-01', '12:00'],
  ['2026-01-01', '00:30', -60, '2025-12-31', '23:30'],
])('%s %s and %d minutes is %s %s', (date, time, minutes, end_date, end_time) => {
  expect(endAfter(date, time, minutes)).toEqual({ end_date, end_time });
});
