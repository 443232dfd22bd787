import { expect, test, vi } from 'vitest';
import type { Tx } from '../../src/core/transaction.ts';
import { afterCommit, resetAfterCommit, runAfterCommit } from '../../src/mongo/database.ts';

test('runs callbacks after the commit and drops those of an earlier try', () => {
  const [tx, other] = [{} as Tx, {} as Tx];
  const [lost, asked, never] = [vi.fn(), vi.fn(), vi.fn()];
  resetAfterCommit(tx);
  afterCommit(tx, lost);
  resetAfterCommit(tx);
  resetAfterCommit(other);
  afterCommit(tx, asked);
  afterCommit(other, never);
  expect(asked).not.toHaveBeenCalled();
  runAfterCommit(tx);
  expect(asked).toHaveBeenCalledOnce();
  expect(lost).not.toHaveBeenCalled();
  expect(never).not.toHaveBeenCalled();
});
