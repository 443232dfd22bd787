import { expect, test } from 'vitest';
import { processInChunks, type Tx, WriteConflict } from '../../src/core/transaction.ts';
import { EVENT_STATUSES, type SchoolEvent } from '../../src/events/event.ts';
import { type ClockAction, isDue } from '../../src/events/rules/lifecycle.ts';
import { anEvent, at } from '../support/builders.ts';

const THEN = at('2026-10-16T18:00:00Z');

test.each<[ClockAction, SchoolEvent['status'], Partial<SchoolEvent>]>([
  ['publish', 'scheduled', { publish_at: THEN }],
  ['start', 'published', { starts_at: THEN }],
  ['complete', 'in_progress', { ends_at: THEN }],
])('the clock may %s an event that is %s from its exact time on', (action, status, more) => {
  const due = (event: Partial<SchoolEvent>, now: Date) => isDue(anEvent({ status, ...more, ...event }), action, now);
  expect(due({}, at('2026-10-16T17:59:59.999Z'))).toBe(false);
  expect(due({}, THEN)).toBe(true);
  expect(due({ deleted_at: THEN }, THEN)).toBe(false);
  for (const other of EVENT_STATUSES.filter((one) => one !== status)) expect(due({ status: other }, THEN)).toBe(false);
});

test('the clock never publishes an event that is scheduled without a time', () => {
  expect(isDue(anEvent({ status: 'scheduled', publish_at: null }), 'publish', THEN)).toBe(false);
});

test('retries a chunk with a write conflict after the others, in halves, until only the conflicting row waits', async () => {
  const tries: number[][] = [];
  const deps = {
    transactOnce: <T>(work: (tx: Tx) => Promise<T>) => work({} as Tx),
    transact: <T>(work: (tx: Tx) => Promise<T>) => work({} as Tx),
  };
  const rests: number[] = [];
  let taken = false;
  const work = async (some: readonly number[]) => {
    tries.push([...some]);
    if (some.includes(3) && some.length > 1) throw new WriteConflict('another process');
    if (some.includes(3)) taken = true;
    return some.length;
  };
  const pause = async (ms: number) => rests.push(ms);
  expect(await processInChunks(deps, [1, 2, 3, 4, 5], work, { size: 4, random: () => 0.999, pause })).toBe(5);
  expect(tries).toEqual([[1, 2, 3, 4], [5], [1, 2, 3, 4], [1, 2], [3, 4], [3], [4]]);
  expect(taken).toBe(true);
  expect(rests).toHaveLength(5);
});

test('does not split a chunk that another process has finished meanwhile', async () => {
  const tries: number[][] = [];
  const deps = { transactOnce: async (work: (tx: Tx) => Promise<number>) => work({} as Tx), transact: null };
  const work = async (some: readonly number[]) => {
    tries.push([...some]);
    if (tries.length === 1) throw new WriteConflict('another process');
    return 0;
  };
  const pause = async () => {};
  expect(await processInChunks(deps as never, [1, 2, 3, 4], work, { size: 4, pause })).toBe(0);
  expect(tries).toEqual([
    [1, 2, 3, 4],
    [1, 2, 3, 4],
  ]);
});

test('processes chunks concurrently, and lets the others end when one fails', async () => {
  const deps = { transactOnce: async (work: (tx: Tx) => Promise<number>) => work({} as Tx), transact: null };
  const begun: number[][] = [];
  const ended: number[][] = [];
  let underWay = 0;
  let most = 0;
  const work = async (some: readonly number[]) => {
    begun.push([...some]);
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    if (some.includes(1)) throw new Error('out of order');
    ended.push([...some]);
    return some.length;
  };
  const options = { size: 2, concurrency: 2, random: () => 0.999 };
  await expect(processInChunks(deps as never, [1, 2, 3, 4, 5, 6], work, options)).rejects.toThrow('out of order');
  expect(begun).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(ended).toEqual([[3, 4]]);
  expect(most).toBe(2);
  expect(await processInChunks(deps as never, [3, 4, 5, 6, 7, 8], work, options)).toBe(6);
});

test('stops between two chunks when its signal aborts', async () => {
  const stopping = new AbortController();
  const deps = { transactOnce: async (work: (tx: Tx) => Promise<number>) => work({} as Tx), transact: null };
  const work = async (some: readonly number[]) => {
    stopping.abort();
    return some.length;
  };
  expect(await processInChunks(deps as never, [1, 2, 3, 4], work, { size: 2, signal: stopping.signal })).toBe(2);
});
