import { expect, test } from 'vitest';
import { slots } from '../../src/core/priority-semaphore.ts';

/** Takes slots and notes who has got them. */
function takers(total: number, reserved = 0) {
  const all = slots(total, reserved);
  const got: string[] = [];
  const take = (name: string, count: number, urgent = false) => {
    void all.take(count, urgent).then(() => got.push(name));
  };
  const settled = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return got;
  };
  return { take, release: all.release, settled };
}

test('admits no more than there are slots, in the order of asking', async () => {
  const { take, release, settled } = takers(3);
  take('a', 2);
  take('b', 2);
  take('c', 1);
  expect(await settled()).toEqual(['a']);
  release(1, false);
  expect(await settled()).toEqual(['a', 'b']);
  release(2, false);
  expect(await settled()).toEqual(['a', 'b', 'c']);
});

test('lets urgent work pass first, and keeps the reserved slots for it', async () => {
  const { take, release, settled } = takers(4, 1);
  take('bulk', 3);
  take('more bulk', 1);
  expect(await settled()).toEqual(['bulk']);
  take('urgent', 1, true);
  take('more urgent', 1, true);
  expect(await settled()).toEqual(['bulk', 'urgent']);
  release(1, false);
  expect(await settled()).toEqual(['bulk', 'urgent', 'more urgent']);
  release(1, true);
  expect(await settled()).toEqual(['bulk', 'urgent', 'more urgent', 'more bulk']);
});
