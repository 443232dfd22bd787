import { expect, test } from 'vitest';
import { addDays, daysBetween, instantOf, isDate, isTime, isZone } from '../../src/core/zoned-time.ts';

// More days on which clocks change are in test/events/rules/series/clock-changes.txt.
test.each([
  ['skipped: moved forward by the gap', 'Europe/Prague', '2026-03-29', '02:30', '2026-03-29T01:30:00.000Z'],
  ['there twice: the first', 'Europe/Prague', '2026-10-25', '02:30', '2026-10-25T00:30:00.000Z'],
  ['the last before the gap', 'Europe/Prague', '2026-03-29', '01:59', '2026-03-29T00:59:00.000Z'],
  ['the first after the gap', 'Europe/Prague', '2026-03-29', '03:00', '2026-03-29T01:00:00.000Z'],
  ['the first after those there twice', 'Europe/Prague', '2026-10-25', '03:00', '2026-10-25T02:00:00.000Z'],
  ['there once', 'UTC', '2026-10-16', '18:00', '2026-10-16T18:00:00.000Z'],
])('a time that is %s', (_kind, zone, date, time, instant) => {
  expect(instantOf({ date, time, zone }).toISOString()).toBe(instant);
});

test('throws on a date, time or zone that does not exist', () => {
  expect(() => instantOf({ date: '2026-02-30', time: '10:00', zone: 'UTC' })).toThrow(RangeError);
  expect(() => instantOf({ date: '2026-02-28', time: '25:00', zone: 'UTC' })).toThrow(RangeError);
  expect(() => instantOf({ date: '2026-02-28', time: '10:00', zone: 'Mars/Base' })).toThrow(RangeError);
});

test.each([
  ['2026-02-28', true],
  ['2024-02-29', true],
  ['2026-02-29', false],
  ['2026-04-31', false],
  ['2026-13-01', false],
  ['2026-00-10', false],
  ['2026-1-1', false],
  ['26-01-01', false],
  ['2026-02-28T00:00', false],
  ['2026-W10', false],
  ['', false],
])('isDate(%j) is %s', (text, expected) => {
  expect(isDate(text)).toBe(expected);
});

test.each([
  ['00:00', true],
  ['09:30', true],
  ['23:59', true],
  ['24:00', false],
  ['12:60', false],
  ['9:30', false],
  ['09:30:00', false],
  ['09:30Z', false],
  ['', false],
])('isTime(%j) is %s', (text, expected) => {
  expect(isTime(text)).toBe(expected);
});

test.each([
  ['Europe/Prague', true],
  ['America/Argentina/Buenos_Aires', true],
  ['UTC', true],
  ['Mars/Base', false],
  ['local', false],
  ['system', false],
  ['+02:00', false],
  ['UTC+2', false],
  [' Europe/Prague', false],
  ['', false],
])('isZone(%j) is %s', (name, expected) => {
  expect(isZone(name)).toBe(expected);
});

test.each([
  ['2026-10-16', 0, '2026-10-16'],
  ['2026-12-31', 1, '2027-01-01'],
  ['2026-03-01', -1, '2026-02-28'],
  ['2024-02-28', 2, '2024-03-01'],
  ['2026-03-28', 2, '2026-03-30'],
  ['2026-10-24', 366, '2027-10-25'],
])('%s plus %d days is %s, and daysBetween gives the same number back', (from, days, to) => {
  expect(addDays(from, days)).toBe(to);
  expect(daysBetween(from, to)).toBe(days);
});
