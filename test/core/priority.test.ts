import { expect, test } from 'vitest';
import { createPrioritySemaphore, createSemaphore, type Release } from '../../src/core/priority.ts';

/** Acquires permits and records the order in which they were granted. */
function openSemaphore(total: number, reserved = 0) {
  const semaphore = createPrioritySemaphore(total, reserved);
  const granted: string[] = [];
  const releases = new Map<string, Release>();
  const acquire = (name: string, count: number, urgent = false) => {
    void semaphore.acquire(count, urgent).then((release) => {
      granted.push(name);
      releases.set(name, release);
    });
  };
  const release = (name: string, count?: number) => releases.get(name)?.(count);
  const settled = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return granted;
  };
  return { acquire, release, settled };
}

test('grants no more permits than there are, in the order of the calls', async () => {
  const { acquire, release, settled } = openSemaphore(3);
  acquire('a', 2);
  acquire('b', 2);
  acquire('c', 1);
  expect(await settled()).toEqual(['a']);
  release('a', 1);
  expect(await settled()).toEqual(['a', 'b']);
  release('b');
  expect(await settled()).toEqual(['a', 'b', 'c']);
});

test('grants urgent work first and keeps the reserved permits for it', async () => {
  const { acquire, release, settled } = openSemaphore(4, 1);
  acquire('bulk', 3);
  acquire('more bulk', 1);
  expect(await settled()).toEqual(['bulk']);
  acquire('urgent', 1, true);
  acquire('more urgent', 1, true);
  expect(await settled()).toEqual(['bulk', 'urgent']);
  release('bulk', 1);
  expect(await settled()).toEqual(['bulk', 'urgent', 'more urgent']);
  release('urgent');
  expect(await settled()).toEqual(['bulk', 'urgent', 'more urgent', 'more bulk']);
});

test('runs at most so many calls at a time, and passes the permit of a failed one on', async () => {
  const limit = createSemaphore(1);
  const failed = limit(() => Promise.reject(new Error('failed')));
  const began: string[] = [];
  const next = limit(async () => began.push('next'));
  expect(began).toEqual([]);
  await expect(failed).rejects.toThrow('failed');
  await next;
  expect(began).toEqual(['next']);
});
