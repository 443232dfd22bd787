import { expect, onTestFinished, test, vi } from 'vitest';
import { coalesce } from '../../src/web/live/coalesce.ts';

/** Collects the batches, at most one a second, each of which takes as long as `load`. */
function collect(load: () => Promise<unknown>) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const batches: number[][] = [];
  const add = coalesce<number>(1_000, (batch) => {
    batches.push(batch);
    return load();
  });
  return { batches, add };
}

test('changes that come while a list loads wait until it has loaded, and are passed on together', async () => {
  const { batches, add } = collect(() => new Promise((done) => setTimeout(done, 3_000)));
  for (const change of [1, 2, 3]) {
    add(change);
    await vi.advanceTimersByTimeAsync(900);
  }
  expect(batches).toEqual([[1]]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(batches).toEqual([[1], [2, 3]]);
});

test('a list that never finishes loading holds changes up for some seconds only', async () => {
  const { batches, add } = collect(() => new Promise(() => {}));
  add(1);
  await vi.advanceTimersByTimeAsync(100);
  add(2);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(batches).toEqual([[1], [2]]);
});
