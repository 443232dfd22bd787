import { expect, test } from 'vitest';
import { addDays, daysBetween, instantOf, isDate, isTime, isZone } from '../../src/core/zoned-time.ts';

/** Worked out by hand from the zones' rules: [zone, date, time, instant]. */
const GAPS = [
  ['Europe/Prague', '2026-03-29', '02:30', '2026-03-29T01:30:00.000Z'],
  ['Europe/London', '2026-03-29', '01:15', '2026-03-29T01:15:00.000Z'],
  ['America/New_York', '2026-03-08', '02:30', '2026-03-08T07:30:00.000Z'],
  ['America/St_Johns', '2026-03-08', '02:30', '2026-03-08T06:00:00.000Z'],
  ['America/Havana', '2026-03-08', '00:30', '2026-03-08T05:30:00.000Z'],
  ['Africa/Cairo', '2026-04-24', '00:00', '2026-04-23T22:00:00.000Z'],
  ['Australia/Adelaide', '2026-10-04', '02:30', '2026-10-03T17:00:00.000Z'],
  ['Australia/Lord_Howe', '2026-10-04', '02:15', '2026-10-03T15:45:00.000Z'],
  ['Pacific/Chatham', '2026-09-27', '03:00', '2026-09-26T14:15:00.000Z'],
  ['America/Santiago', '2026-09-06', '00:00', '2026-09-06T04:00:00.000Z'],
  ['Pacific/Apia', '2011-12-30', '10:00', '2011-12-30T20:00:00.000Z'],
] as const;

const OVERLAPS = [
  ['Europe/Prague', '2026-10-25', '02:30', '2026-10-25T00:30:00.000Z'],
  ['Europe/London', '2026-10-25', '01:15', '2026-10-25T00:15:00.000Z'],
  ['America/New_York', '2026-11-01', '01:30', '2026-11-01T05:30:00.000Z'],
  ['America/St_Johns', '2026-11-01', '01:30', '2026-11-01T04:00:00.000Z'],
  ['Australia/Adelaide', '2026-04-05', '02:30', '2026-04-04T16:00:00.000Z'],
  ['Australia/Lord_Howe', '2026-04-05', '01:45', '2026-04-04T14:45:00.000Z'],
  ['Pacific/Chatham', '2026-04-05', '03:00', '2026-04-04T13:15:00.000Z'],
] as const;

const ORDINARY = [
  ['UTC', '2026-10-16', '18:00', '2026-10-16T18:00:00.000Z'],
  ['Asia/Kolkata', '2026-10-16', '18:00', '2026-10-16T12:30:00.000Z'],
  ['Asia/Kathmandu', '2026-10-16', '18:00', '2026-10-16T12:15:00.000Z'],
  ['Europe/Prague', '2026-03-29', '01:59', '2026-03-29T00:59:00.000Z'],
  ['Europe/Prague', '2026-03-29', '03:00', '2026-03-29T01:00:00.000Z'],
  ['Europe/Prague', '2026-10-25', '03:00', '2026-10-25T02:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-01-01', '00:00', '2025-12-31T10:00:00.000Z'],
  ['Pacific/Honolulu', '2025-12-31', '23:59', '2026-01-01T09:59:00.000Z'],
] as const;

test.each(GAPS)('%s %s %s does not exist: moves it forward by the gap', (zone, date, time, instant) => {
  expect(instantOf({ date, time, zone }).toISOString()).toBe(instant);
});

test.each(OVERLAPS)('%s %s %s exists twice: takes the first', (zone, date, time, instant) => {
  expect(instantOf({ date, time, zone }).toISOString()).toBe(instant);
});

test.each(ORDINARY)('%s %s %s exists once', (zone, date, time, instant) => {
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
