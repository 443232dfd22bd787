import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cached } from '../../src/core/cached.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('shares one load among calls during the load and within the cache time', async () => {
  let loads = 0;
  const load = cached(1000, async () => ++loads);
  expect(await Promise.all([load(), load()])).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(999);
  expect(await load()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await load()).toBe(2);
});

test('loads again after a failure', async () => {
  let loads = 0;
  const load = cached(1000, async () => {
    loads += 1;
    if (loads === 1) throw new Error('unavailable');
    return loads;
  });
  await expect(load()).rejects.toThrow('unavailable');
  expect(await load()).toBe(2);
});
