import { expect, test } from 'vitest';
import { processInChunks, type Tx, WriteConflict } from '../../src/core/transaction.ts';

const transact = <T>(work: (tx: Tx) => Promise<T>) => work({} as Tx);
const deps = { transactOnce: transact, transact };

test('retries a chunk with a write conflict after the others, in halves, until only the conflicting row waits', async () => {
  const tries: number[][] = [];
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
  const work = async (some: readonly number[]) => {
    tries.push([...some]);
    if (tries.length === 1) throw new WriteConflict('another process');
    return 0;
  };
  const pause = async () => {};
  expect(await processInChunks(deps, [1, 2, 3, 4], work, { size: 4, pause })).toBe(0);
  expect(tries).toEqual([
    [1, 2, 3, 4],
    [1, 2, 3, 4],
  ]);
});

test('processes chunks concurrently, and lets the others end when one fails', async () => {
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
  await expect(processInChunks(deps, [1, 2, 3, 4, 5, 6], work, options)).rejects.toThrow('out of order');
  expect(begun).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(ended).toEqual([[3, 4]]);
  expect(most).toBe(2);
  expect(await processInChunks(deps, [3, 4, 5, 6, 7, 8], work, options)).toBe(6);
});

test('stops between two chunks when its signal aborts', async () => {
  const stopping = new AbortController();
  const work = async (some: readonly number[]) => {
    stopping.abort();
    return some.length;
  };
  expect(await processInChunks(deps, [1, 2, 3, 4], work, { size: 2, signal: stopping.signal })).toBe(2);
});
