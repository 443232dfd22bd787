import mongoose from 'mongoose';
import { expect, test, vi } from 'vitest';
import { afterCommit } from '../../src/mongo/transactions.ts';
import { emptyDatabase } from '../support/database.ts';

const database = await emptyDatabase();

test('runs callbacks after the commit and drops those of an earlier try', async () => {
  const [lost, asked] = [vi.fn(), vi.fn()];
  const conflict = new mongoose.mongo.MongoError('another transaction was faster');
  conflict.addErrorLabel('TransientTransactionError');
  const work = vi.fn(async (tx) => {
    const isFirst = work.mock.calls.length === 1;
    afterCommit(tx, isFirst ? lost : asked);
    if (isFirst) throw conflict;
    expect(asked).not.toHaveBeenCalled();
  });
  await database.transact(work);
  expect(asked).toHaveBeenCalledOnce();
  expect(lost).not.toHaveBeenCalled();
});

test('runs no callback of a transaction that fails', async () => {
  const never = vi.fn();
  const failed = database.transactOnce(async (tx) => {
    afterCommit(tx, never);
    throw new Error('refused');
  });
  await expect(failed).rejects.toThrow('refused');
  expect(never).not.toHaveBeenCalled();
});
