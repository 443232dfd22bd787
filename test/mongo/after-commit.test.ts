import mongoose from 'mongoose';
import { expect, test, vi } from 'vitest';
import { WriteConflict } from '../../src/core/transaction.ts';
import { afterCommit } from '../../src/mongo/transactions.ts';
import { emptyDatabase } from '../support/database.ts';

const database = await emptyDatabase();

const ofServer = new mongoose.mongo.MongoError('another transaction was faster');
ofServer.addErrorLabel('TransientTransactionError');

test.each([
  ['the server', ofServer],
  ['the work', new WriteConflict('the event has changed')],
])('runs callbacks after the commit and drops those of a try in which %s found a conflict', async (_, conflict) => {
  const [lost, asked] = [vi.fn(), vi.fn()];
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
