import { expect, it } from 'vitest';
import { instantOf as instantOfServer } from '../../../../src/core/zoned-time.ts';
import { instantsOf } from '../../../../src/events/rules/schedule.ts';
import { instantOf, timesAfterGap } from '../../../../src/web/editor/draft/wall-time.ts';
import { inZone } from '../../../../src/web/texts/dates.ts';

const CHANGES = [
  ['Europe/Prague', '2027-03-28'],
  ['Europe/Prague', '2027-10-31'],
  ['America/New_York', '2027-03-14'],
  ['America/New_York', '2027-11-07'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['Australia/Lord_Howe', '2027-04-04'],
  ['Africa/Cairo', '2027-04-30'],
] as const;
const TIMES = ['00:00', '00:30', '01:00', '01:30', '01:45', '02:00', '02:10', '02:30', '03:00', '23:30'];

it.each(CHANGES)('finds the same instants as the API in %s on %s, when clocks change', (zone, date) => {
  const ours = TIMES.map((time) => instantOf(`${date}T${time}`, zone));
  expect(ours).toEqual(TIMES.map((time) => instantOfServer({ date, time, zone }).toISOString()));
});

it('finds no instant of a year that is being typed', () => {
  expect(['0002-03-28T12:00', '0202-03-28T12:00', ''].map((wall) => instantOf(wall, 'Europe/Prague'))).toEqual([
    null,
    null,
    null,
  ]);
});

it.each([
  ['02:30', '2027-03-28', '03:30', { start: '03:30', end: '04:30' }],
  ['01:30', '2027-03-28', '02:30', { start: '01:30', end: '03:30' }],
  ['02:30', '2027-03-29', '01:00', { start: '03:30', end: '01:00' }],
  ['01:00', '2027-03-28', '04:00', null],
  ['02:30', '2027-03-28', '', null],
])(
  'names the times of %s to %s %s in the night in which clocks go forward, if they move',
  (start_time, end_date, end_time, times) => {
    const schedule = { start_date: '2027-03-28', end_date, start_time, end_time, timezone: 'Europe/Prague' };
    expect(timesAfterGap(schedule)).toEqual(times);
    if (!times) return;
    const { starts_at, ends_at } = instantsOf({ ...schedule, all_day: false });
    const [start, end] = [starts_at, ends_at].map((at) => inZone(at.getTime(), 'Europe/Prague').time);
    expect({ start, end }).toEqual(times);
  },
);
