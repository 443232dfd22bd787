import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest';
import type { Database } from '../../src/mongo/database.ts';
import { openDatabase } from '../../src/mongo/open-database.ts';
import { transactionReaper, transactionsOn } from '../../src/mongo/transactions.ts';
import { freshDatabaseUri } from '../support/database.ts';
import { eventually } from '../support/world.ts';

/** Not the name of the product: a limit of 0 ms would also end the transactions of tests that run beside this one. */
const PROGRAM = 'tested program';

let database: Database;
let uri: string;
beforeAll(async () => {
  uri = freshDatabaseUri(inject('mongodbUri'));
  database = await openDatabase(uri);
});
beforeEach(async () => {
  await database.collection('events').deleteMany({});
  await database.collection('events').insertMany([{ _id: 'held' }, { _id: 'other' }] as never);
});
afterAll(() => database?.close());

/** A connection of a program of this name, until the end of the test. */
async function connect(appName: string) {
  const connection = await mongoose.createConnection(uri, { appName }).asPromise();
  onTestFinished(() => connection.close());
  return connection;
}

/** Leaves a transaction open until the end of the test, as a process does that is killed in the middle of it. */
async function leaveOne(appName: string, _id: string) {
  const connection = await connect(appName);
  const session = connection.getClient().startSession();
  session.startTransaction();
  await connection.collection('events').updateOne({ _id } as never, { $set: { mine: true } }, { session });
  return session;
}

const write = (_id: string) =>
  database.transactOnce(async (tx) => {
    const held = database.collection('events');
    await held.updateOne({ _id } as never, { $set: { theirs: true } }, { session: tx as never });
  });

const isFree = () =>
  write('held').then(
    () => true,
    () => false,
  );

test('a process that needs the rows of an abandoned transaction ends it, and its owner can retry', async () => {
  const left = await leaveOne(PROGRAM, 'held');
  const connection = await connect('tested email');
  await expect(write('held')).rejects.toThrow('another transaction committed first');
  transactionReaper(connection.getClient(), 0)();
  await eventually('the row is free', isFree);
  await expect(left.commitTransaction()).rejects.toMatchObject({ codeName: 'NoSuchTransaction' });
  expect(await database.collection('events').findOne({ _id: 'held' })).toEqual({ _id: 'held', theirs: true });
});

test('a transaction that another one blocks for 20 seconds is refused as busy', async () => {
  await leaveOne('blocking program', 'other');
  const began = performance.now();
  let tries = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => began + (tries > 2 ? 21_000 : 0));
  onTestFinished(() => now.mockRestore());
  const blocked = database.transact(async (tx) => {
    tries += 1;
    const events = database.collection('events');
    await events.updateOne({ _id: 'other' } as never, { $set: { theirs: true } }, { session: tx as never });
  });
  await expect(blocked).rejects.toMatchObject({ refusal: { code: 'busy' } });
  expect(tries).toBe(3);
});

test.each(['transact', 'transactOnce'] as const)('%s may run again if it is ended within a statement', async (name) => {
  const admin = await connect('an administrator');
  let tries = 0;
  const run = () =>
    database[name](async (tx) => {
      const { id } = tx as unknown as { id: { id: unknown } };
      const first = ++tries === 1;
      const slow = { $where: `sleep(${first ? 500 : 0}) || true` } as never;
      const kill = () => admin.db?.command({ killSessions: [{ id: id.id }] });
      const [found] = await Promise.all([
        database
          .collection('events')
          .find(slow, { session: tx as never })
          .toArray(),
        first && delay(100).then(kill),
      ]);
      return found.length;
    });
  if (name === 'transactOnce') await expect(run()).rejects.toThrow('another transaction committed first');
  expect(await run()).toBe(2);
  expect(tries).toBe(2);
});

test('transactions of other programs are not ended', async () => {
  const left = await leaveOne('another program', 'other');
  const connection = await connect(PROGRAM);
  await expect(write('other')).rejects.toThrow('another transaction committed first');
  await leaveOne(PROGRAM, 'held');
  transactionReaper(connection.getClient(), 0)();
  await eventually('ours is ended', isFree);
  await left.commitTransaction();
  expect(await database.collection('events').findOne({ _id: 'other' })).toEqual({ _id: 'other', mine: true });
});

test('a slow transaction of the same process is not ended', async () => {
  await leaveOne(PROGRAM, 'held');
  const connection = await connect(PROGRAM);
  const client = connection.getClient();
  const events = connection.collection('events');
  await transactionsOn(client).transactOnce(async (tx) => {
    await events.updateOne({ _id: 'other' } as never, { $set: { ours: true } }, { session: tx as never });
    transactionReaper(client, 0)();
    await eventually('that of a killed process is ended', isFree);
  });
  expect(await events.findOne({ _id: 'other' } as never)).toEqual({ _id: 'other', ours: true });
});
