import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cached } from '../../src/core/cached.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('asks once for all who come while the answer is under way or younger than its time', async () => {
  let asked = 0;
  const answer = cached(1000, async () => ++asked);
  expect(await Promise.all([answer(), answer()])).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(999);
  expect(await answer()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await answer()).toBe(2);
});

test('keeps no failure', async () => {
  let asked = 0;
  const answer = cached(1000, async () => {
    asked += 1;
    if (asked === 1) throw new Error('away');
    return asked;
  });
  await expect(answer()).rejects.toThrow('away');
  expect(await answer()).toBe(2);
});
