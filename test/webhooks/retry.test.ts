import { describe, expect, test } from 'vitest';
import { isGivenUp, nextTryAt, outageBegan } from '../../src/webhooks/retry.ts';

const NOW = new Date('2026-09-01T08:00:00Z');
const [MINUTE, HOUR] = [60_000, 3_600_000];

const pauseAfter = (failures: number, random = 0): number | null => {
  const at = nextTryAt(failures, NOW, random);
  return at && at.getTime() - NOW.getTime();
};

test.each([
  [1, 5_000],
  [2, 5 * MINUTE],
  [3, 30 * MINUTE],
  [4, 2 * HOUR],
  [5, 5 * HOUR],
  [6, 10 * HOUR],
  [7, 14 * HOUR],
  [8, 20 * HOUR],
  [9, 24 * HOUR],
  [10, null],
])('after %i failures the next try is %s ms later', (failures, pause) => {
  expect(pauseAfter(failures)).toBe(pause);
});

test('jitter makes a pause up to a tenth longer', () => {
  expect(pauseAfter(4, 0.5)).toBe(2 * HOUR * 1.05);
});

describe('a subscription', () => {
  const fiveDaysAgo = NOW.getTime() - 120 * HOUR;

  test('is given up after five days of failures, and not a moment earlier', () => {
    expect(isGivenUp(new Date(fiveDaysAgo), NOW)).toBe(true);
    expect(isGivenUp(new Date(fiveDaysAgo + 1), NOW)).toBe(false);
  });

  test('has an outage that outlasts the longest pause between two tries', () => {
    expect(pauseAfter(9, 1)).toBeLessThan(NOW.getTime() - outageBegan(NOW).getTime());
  });
});
