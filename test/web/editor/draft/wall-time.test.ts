import { expect, it } from 'vitest';
import { instantOf as instantOfServer } from '../../../../src/core/zoned-time.ts';
import { instantOf } from '../../../../src/web/editor/draft/wall-time.ts';

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
