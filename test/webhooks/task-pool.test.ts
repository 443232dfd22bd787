import { expect, test } from 'vitest';
import { createTaskPool } from '../../src/webhooks/deliver.ts';
import { latch } from '../support/latch.ts';

/** Work that ends when the test says so. */
function pending() {
  const { open: end, opened } = latch();
  return { work: () => opened, end };
}

test('a key runs at most its share, so that others start too', () => {
  const pool = createTaskPool({ perKey: 2, overall: 10 });
  const started: string[] = [];
  const recorded = (key: string, work: () => Promise<void>) => {
    started.push(key);
    return work();
  };
  const start = (key: string) => pool.start(key, () => recorded(key, pending().work));
  for (let n = 0; n < 5; n++) start('slow');
  start('other');
  expect(started).toEqual(['slow', 'slow', 'other']);
});

test('all keys together run at most the overall limit', () => {
  const pool = createTaskPool({ perKey: 2, overall: 3 });
  let started = 0;
  for (const key of ['a', 'b', 'c', 'd'])
    pool.start(key, () => {
      started += 1;
      return pending().work();
    });
  expect(started).toBe(3);
});

test('a key starts work again when its work has ended', async () => {
  const pool = createTaskPool({ perKey: 1, overall: 1 });
  const first = pending();
  const started: string[] = [];
  pool.start('a', () => {
    started.push('first');
    return first.work();
  });
  first.end();
  await pool.untilIdle();
  pool.start('a', async () => void started.push('second'));
  await pool.untilIdle();
  expect(started).toEqual(['first', 'second']);
});
