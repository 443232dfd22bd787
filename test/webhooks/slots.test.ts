import { expect, test } from 'vitest';
import { createSlots } from '../../src/webhooks/deliver.ts';
import { latch } from '../support/latch.ts';

/** Work that ends when the test says so. */
function pending() {
  const { open: end, opened } = latch();
  return { work: () => opened, end };
}

test('a key has at most its slots, so that others get theirs', () => {
  const slots = createSlots({ perKey: 2, overall: 10 });
  const started: string[] = [];
  const recorded = (key: string, work: () => Promise<void>) => {
    started.push(key);
    return work();
  };
  const start = (key: string) => slots.start(key, () => recorded(key, pending().work));
  for (let n = 0; n < 5; n++) start('slow');
  start('other');
  expect(started).toEqual(['slow', 'slow', 'other']);
});

test('all keys together have at most the overall slots', () => {
  const slots = createSlots({ perKey: 2, overall: 3 });
  let started = 0;
  for (const key of ['a', 'b', 'c', 'd'])
    slots.start(key, () => {
      started += 1;
      return pending().work();
    });
  expect(started).toBe(3);
});

test('a slot is free again when its work has ended', async () => {
  const slots = createSlots({ perKey: 1, overall: 1 });
  const first = pending();
  const started: string[] = [];
  slots.start('a', () => {
    started.push('first');
    return first.work();
  });
  first.end();
  await slots.untilIdle();
  slots.start('a', async () => void started.push('second'));
  await slots.untilIdle();
  expect(started).toEqual(['first', 'second']);
});
