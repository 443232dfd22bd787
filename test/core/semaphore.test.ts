import { expect, test } from 'vitest';
import { atMost } from '../../src/core/semaphore.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Work that is begun when it is, and ends when told to. */
function works(places: number, names: string) {
  const inLine = atMost(places);
  const begun: string[] = [];
  const ends = new Map<string, (fault?: Error) => void>();
  const results = [...names].map((name) =>
    inLine(
      () =>
        new Promise<string>((resolve, reject) => {
          begun.push(name);
          ends.set(name, (fault) => (fault ? reject(fault) : resolve(name)));
        }),
    ),
  );
  return { begun, ends, results };
}

test('what has no place waits, and is begun in its order when one is free', async () => {
  const { begun, ends, results } = works(2, 'abcd');
  expect(begun).toEqual(['a', 'b']);
  ends.get('b')?.();
  expect(await results[1]).toBe('b');
  await settled();
  expect(begun).toEqual(['a', 'b', 'c']);
  ends.get('a')?.();
  ends.get('c')?.();
  await settled();
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  ends.get('d')?.();
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
});

test('what fails fails alone, and its place is free again', async () => {
  const { begun, ends, results } = works(1, 'ab');
  ends.get('a')?.(new Error('gone'));
  await expect(results[0]).rejects.toThrow('gone');
  await settled();
  expect(begun).toEqual(['a', 'b']);
  ends.get('b')?.();
  expect(await results[1]).toBe('b');
});
