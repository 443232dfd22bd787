import { expect, test } from 'vitest';
import { createSemaphore } from '../../src/core/semaphore.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Starts one work per letter; each ends when the test says so. */
function startWorks(permits: number, names: string) {
  const limited = createSemaphore(permits);
  const started: string[] = [];
  const ends = new Map<string, (fault?: Error) => void>();
  const results = [...names].map((name) =>
    limited(
      () =>
        new Promise<string>((resolve, reject) => {
          started.push(name);
          ends.set(name, (fault) => (fault ? reject(fault) : resolve(name)));
        }),
    ),
  );
  return { started, ends, results };
}

test('starts waiting work in order as permits become free', async () => {
  const { started, ends, results } = startWorks(2, 'abcd');
  expect(started).toEqual(['a', 'b']);
  ends.get('b')?.();
  expect(await results[1]).toBe('b');
  await settled();
  expect(started).toEqual(['a', 'b', 'c']);
  ends.get('a')?.();
  ends.get('c')?.();
  await settled();
  expect(started).toEqual(['a', 'b', 'c', 'd']);
  ends.get('d')?.();
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
});

test('frees the permit of failed work', async () => {
  const { started, ends, results } = startWorks(1, 'ab');
  ends.get('a')?.(new Error('failed'));
  await expect(results[0]).rejects.toThrow('failed');
  await settled();
  expect(started).toEqual(['a', 'b']);
  ends.get('b')?.();
  expect(await results[1]).toBe('b');
});
