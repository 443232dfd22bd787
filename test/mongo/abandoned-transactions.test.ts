import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { APP_NAME, endAbandoned } from '../../src/mongo/abandoned-transactions.ts';
import { type Database, openDatabase } from '../../src/mongo/database.ts';
import { freshDatabaseUri } from '../support/database.ts';
import { eventually } from '../support/world.ts';

let database: Database;
let uri: string;
beforeAll(async () => {
  uri = freshDatabaseUri(inject('mongodbUri'));
  database = await openDatabase(uri);
  await database.collection('events').insertMany([{ _id: 'held' }, { _id: 'other' }] as never);
});
afterAll(() => database?.close());

/** As a process leaves it that is killed in the midst of a transaction. */
async function leaveOne(appName: string, _id: string) {
  const connection = await mongoose.createConnection(uri, { appName }).asPromise();
  const session = connection.getClient().startSession();
  session.startTransaction();
  await connection.collection('events').updateOne({ _id } as never, { $set: { mine: true } }, { session });
  return { session, end: () => connection.close() };
}

const write = (_id: string) =>
  database.transactOnce(async (tx) => {
    const held = database.collection('events');
    await held.updateOne({ _id } as never, { $set: { theirs: true } }, { session: tx as never });
  });

test('a transaction that nobody goes on with is ended by who needs its rows, and its own process begins anew', async () => {
  const left = await leaveOne(APP_NAME, 'held');
  const connection = await mongoose.createConnection(uri, { appName: APP_NAME }).asPromise();
  await expect(write('held')).rejects.toThrow('another transaction was first');
  endAbandoned(connection, 0)();
  const free = () =>
    write('held').then(
      () => true,
      () => false,
    );
  await eventually('the row is free', free);
  await expect(left.session.commitTransaction()).rejects.toMatchObject({ codeName: 'NoSuchTransaction' });
  expect(await database.collection('events').findOne({ _id: 'held' })).toEqual({ _id: 'held', theirs: true });
  await connection.close();
  await left.end();
});

test('transactions of other programs are left alone', async () => {
  const left = await leaveOne('another program', 'other');
  const connection = await mongoose.createConnection(uri, { appName: APP_NAME }).asPromise();
  await expect(write('other')).rejects.toThrow('another transaction was first');
  const ours = await leaveOne(APP_NAME, 'held');
  endAbandoned(connection, 0)();
  await eventually('ours is ended', () =>
    write('held').then(
      () => true,
      () => false,
    ),
  );
  await left.session.commitTransaction();
  expect(await database.collection('events').findOne({ _id: 'other' })).toEqual({ _id: 'other', mine: true });
  await Promise.all([connection.close(), left.end(), ours.end()]);
});
