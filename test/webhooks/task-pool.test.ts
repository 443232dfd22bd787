import { expect, test } from 'vitest';
import { createTaskPool } from '../../src/webhooks/deliver.ts';
import { latch } from '../support/latch.ts';

const endless = () => latch().opened;

test('a key runs at most its share, so that others start too', () => {
  const pool = createTaskPool({ perKey: 2, overall: 10 });
  const started: string[] = [];
  const start = (key: string) =>
    pool.start(key, () => {
      started.push(key);
      return endless();
    });
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
      return endless();
    });
  expect(started).toBe(3);
});

test('a key starts work again when its work has ended', async () => {
  const pool = createTaskPool({ perKey: 1, overall: 1 });
  const first = latch();
  const started: string[] = [];
  pool.start('a', () => {
    started.push('first');
    return first.opened;
  });
  first.open();
  await pool.untilIdle();
  pool.start('a', async () => void started.push('second'));
  await pool.untilIdle();
  expect(started).toEqual(['first', 'second']);
});
