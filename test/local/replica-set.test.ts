import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ReplicaSet, startReplicaSet } from '../support/replica-set.ts';

let set: ReplicaSet;
let client: mongoose.mongo.MongoClient;
beforeAll(async () => {
  set = await startReplicaSet();
  client = await new mongoose.mongo.MongoClient(set.uri, { writeConcern: { w: 'majority', journal: true } }).connect();
}, 120_000);
afterAll(async () => {
  await client?.close();
  await set?.stop();
});

const insert = (_id: string) => client.db().collection<{ _id: string }>('notes').insertOne({ _id });

test('keeps what a majority has through every change of the primary, and has another primary after each', async () => {
  await insert('first');
  const before = await set.primary();

  await set.stepDown();
  const second = await set.primary();
  expect(second.port).not.toBe(before.port);
  await insert('stepped down');

  const killed = await set.endPrimary('SIGKILL');
  expect(killed.port).toBe(second.port);
  expect((await set.primary()).port).not.toBe(killed.port);
  await insert('one is missing');
  await killed.restart();

  await set.restartAll('SIGKILL');
  await insert('all were killed');
  const notes = await client.db().collection('notes').find().sort({ _id: 1 }).toArray();
  expect(notes.map(({ _id }) => String(_id))).toEqual(['all were killed', 'first', 'one is missing', 'stepped down']);
}, 180_000);
