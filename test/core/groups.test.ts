import { expect, test } from 'vitest';
import { batchesOf } from '../../src/core/groups.ts';

async function collect(count: number): Promise<number[][]> {
  async function* source() {
    for (let n = 1; n <= count; n++) yield n;
  }
  const batches: number[][] = [];
  for await (const batch of batchesOf(source(), 2)) batches.push(batch);
  return batches;
}

test.each([
  [0, []],
  [2, [[1, 2]]],
  [3, [[1, 2], [3]]],
])('groups %i entries into batches without an empty one', async (count, batches) => {
  expect(await collect(count)).toEqual(batches);
});

test('ends the source when the caller stops early', async () => {
  let ended = false;
  async function* source() {
    try {
      for (;;) yield 1;
    } finally {
      ended = true;
    }
  }
  for await (const _ of batchesOf(source(), 2)) break;
  expect(ended).toBe(true);
});
