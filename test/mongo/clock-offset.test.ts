import { expect, test, vi } from 'vitest';
import { offsetOf } from '../../src/mongo/open-database.ts';
import { provideDatabase } from '../support/database.ts';

const database = await provideDatabase();

const ASKED = 1_000_000;

test.each([
  ['the same clock, read when the query began', 0, 40, 0],
  ['the same clock, read when it ended', 40, 40, 0],
  ['the same clock without delay, rounded down to a millisecond', -1, 0, 0],
  ['a clock 30 seconds ahead', 30_020, 40, 30_000],
  ['a clock 30 seconds behind', -29_980, 40, -30_000],
  ['a clock a little further ahead than the query took', 42, 40, 22],
])('the answer of %s gives its offset', (_of, answered, took, offset) => {
  expect(offsetOf(new Date(ASKED + answered), ASKED, took)).toBe(offset);
});

test('the clock stays right if that of the machine is set anew', () => {
  const before = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: before + 3_600_000 });
  const now = database.clock.now().getTime();
  vi.useRealTimers();
  expect(Math.abs(now - before)).toBeLessThan(60_000);
});
