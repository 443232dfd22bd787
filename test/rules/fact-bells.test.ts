import { expect, test, vi } from 'vitest';
import type { Tx } from '../../src/kernel/transaction.ts';
import { afterCommit, begun, committed } from '../../src/stores/after-commit.ts';
import type { Database } from '../../src/stores/database.ts';
import { factBells } from '../../src/stores/fact-bells.ts';

/** Bells that are written when told to. */
function tower() {
  const rung: string[] = [];
  const ends: ((fault?: Error) => void)[] = [];
  const insertOne = ({ lane }: { lane: string }) =>
    new Promise<void>((resolve, reject) => {
      rung.push(lane);
      ends.push((fault) => (fault ? reject(fault) : resolve()));
    });
  const database = { collection: () => ({ insertOne }) } as unknown as Database;
  return { rung, ends, bells: factBells(database) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('one bell of a lane is written at a time, and those that come meanwhile are one more', async () => {
  const { rung, ends, bells } = tower();
  for (let i = 0; i < 100; i += 1) bells.urgent();
  await settled();
  for (let i = 0; i < 100; i += 1) bells.urgent();
  await settled();
  expect(rung).toEqual(['urgent']);
  bells.bulk();
  await settled();
  expect(rung).toEqual(['urgent', 'bulk']);
  ends[0]?.();
  await expect.poll(() => rung).toEqual(['urgent', 'bulk', 'urgent']);
});

test('a bell that can’t be written troubles nobody, and the next one is', async () => {
  const { rung, ends, bells } = tower();
  bells.bulk();
  await settled();
  bells.bulk();
  ends[0]?.(new Error('no server'));
  await expect.poll(() => rung).toEqual(['bulk', 'bulk']);
});

test('what is wanted after a commit is done once, not for a try before, and never where nothing is committed', () => {
  const [tx, other] = [{} as Tx, {} as Tx];
  const [lost, ring, never] = [vi.fn(), vi.fn(), vi.fn()];
  begun(tx);
  afterCommit(tx, lost);
  begun(tx);
  begun(other);
  afterCommit(tx, ring);
  afterCommit(tx, ring);
  afterCommit(other, never);
  expect(ring).not.toHaveBeenCalled();
  committed(tx);
  expect(ring).toHaveBeenCalledOnce();
  expect(lost).not.toHaveBeenCalled();
  expect(never).not.toHaveBeenCalled();
});
