import { expect, test } from 'vitest';
import { batchesOf } from '../../src/core/groups.ts';
import { collect } from '../support/collect.ts';

async function* numbersTo(count: number) {
  for (let n = 1; n <= count; n++) yield n;
}

test.each([
  [0, []],
  [2, [[1, 2]]],
  [3, [[1, 2], [3]]],
])('groups %i entries into batches without an empty one', async (count, batches) => {
  expect(await collect(batchesOf(numbersTo(count), 2))).toEqual(batches);
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
