import { describe, expect, test } from 'vitest';
import { secondsUntilSent } from '../../../src/notifications/explain/dry-run.ts';

const ahead = (waiting: Record<string, number>) => new Map(Object.entries(waiting));

describe('the estimated seconds', () => {
  test.each([
    ['no messages take no time', 0, { t2: 100 }, 10, 0],
    ['at the rate of the channel', 95, {}, 10, 10],
    ['behind what the tenant sends already', 100, { t1: 100 }, 10, 20],
    ['round robin with other tenants', 100, { t2: 40, t3: 60 }, 10, 20],
    ['and no other tenant’s flood counts further than our own', 100, { t2: 1_000_000 }, 10, 20],
  ])('%s', (_, count, waiting, rate, seconds) => {
    expect(secondsUntilSent(count, 't1', ahead(waiting), rate)).toBe(seconds);
  });
});
