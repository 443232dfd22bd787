import mongoose from 'mongoose';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { StoredReply } from '../../src/core/idempotency-record.ts';
import type { Database } from '../../src/mongo/database.ts';
import { idempotencyStore } from '../../src/mongo/idempotency-store.ts';
import { SCOPE } from '../support/builders.ts';
import { emptyDatabase, emptyDatabaseUri } from '../support/database.ts';
import { eventually } from '../support/world.ts';

const REPLY: StoredReply = { status: 201, headers: {}, body: '{}' };

let database: Database;
let uri: string;
beforeAll(async () => {
  database = await emptyDatabase();
  uri = await emptyDatabaseUri();
});

/** The store of a process whose clock runs `ms` milliseconds ahead. */
const later = (ms: number) => idempotencyStore({ ...database, clock: { now: () => new Date(Date.now() + ms) } });

let keys = 0;
let key: string;
let token: string;
/** A request whose process died. */
beforeEach(async () => {
  key = `key-${++keys}`;
  const begun = await later(0).begin(key, 'body', SCOPE);
  if (begun.kind !== 'started') throw new Error(begun.kind);
  token = begun.token;
});

test('holds a key while its request runs, also an erasure that waits ten seconds for a fan-out', async () => {
  expect(await later(12_000).begin(key, 'body', SCOPE)).toEqual({ kind: 'running' });
});

test('frees the key of a dead process within 20 seconds', async () => {
  expect(await later(20_000).begin(key, 'body', SCOPE)).toMatchObject({ kind: 'started' });
});

test('gives a key that is free to one of many retries', async () => {
  const begun = await Promise.all(Array.from({ length: 8 }, () => later(20_000).begin(key, 'body', SCOPE)));
  expect(begun.map(({ kind }) => kind).sort()).toEqual([...Array(7).fill('running'), 'started']);
});

test('lets no request commit whose key a retry has taken over', async () => {
  await later(20_000).begin(key, 'body', SCOPE);
  await expect(database.transact((tx) => later(0).finish(key, token, REPLY, tx))).rejects.toMatchObject({
    refusal: { code: 'idempotency_in_flight' },
  });
  const own = await later(0).begin(`${key} of another`, 'body', SCOPE);
  const others = own.kind === 'started' ? [{ key: `${key} of another`, token: own.token, reply: REPLY }] : [];
  const records = [{ key, token, reply: REPLY }, ...others];
  expect(records).toHaveLength(2);
  expect(await database.transact((tx) => later(0).finishMany(records, tx))).toEqual([key]);
});

test('frees a key only for the request that holds it, and never with its reply', async () => {
  const retry = later(20_000);
  const begun = await retry.begin(key, 'body', SCOPE);
  await retry.abandon(key, token);
  expect(await retry.begin(key, 'body', SCOPE)).toEqual({ kind: 'running' });
  if (begun.kind !== 'started') throw new Error(begun.kind);
  // Its commit may have succeeded although the answer was lost.
  await retry.finish(key, begun.token, REPLY);
  await retry.abandon(key, begun.token);
  expect(await retry.begin(key, 'body', SCOPE)).toEqual({ kind: 'stored', reply: REPLY });
});

test('does not take over a long request that is committing', async () => {
  const early: unknown[] = [];
  await database.transact(async (tx) => {
    await later(0).finish(key, token, REPLY, tx);
    early.push(await Promise.race([later(60_000).begin(key, 'body', SCOPE), waits(1_000)]));
  });
  expect(early).toEqual([{ kind: 'running' }]);
  expect(await later(60_000).begin(key, 'body', SCOPE)).toEqual({ kind: 'stored', reply: REPLY });
});

test('frees the key of a process that was killed while it committed', async () => {
  // Left open as after a kill -9. One of this process would not be ended, since it may only be slow.
  const client = new mongoose.mongo.MongoClient(uri, { appName: 'schoolbell killed' });
  onTestFinished(() => client.close());
  const left = client.startSession();
  left.startTransaction();
  await client
    .db()
    .collection('replies')
    .updateOne({ mark: token }, { $set: { reply: REPLY } }, { session: left });
  expect((await later(20_000).begin(key, 'body', SCOPE)).kind).toBe('running');
  let kind = '';
  const taken = async () => {
    kind = (await later(20_000).begin(key, 'body', SCOPE)).kind;
    return kind !== 'running';
  };
  await eventually('the key is free', taken, 30_000);
  expect(kind).toBe('started');
  await expect(left.commitTransaction()).rejects.toThrow();
});

const waits = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms, 'waited'));

test('gives the outdated reply to the request that replaces it, which can store it again', async () => {
  const store = later(0);
  await store.finish(key, token, REPLY);
  const begun = await store.begin(key, 'body', SCOPE, () => true);
  expect(begun).toMatchObject({ kind: 'started', outdated: REPLY });
  if (begun.kind === 'started') await store.finish(key, begun.token, begun.outdated ?? { ...REPLY, body: 'none' });
  expect(await store.begin(key, 'body', SCOPE)).toEqual({ kind: 'stored', reply: REPLY });
});

test('keeps the outdated reply if the process of the request that replaces it dies', async () => {
  await later(0).finish(key, token, REPLY);
  await later(0).begin(key, 'body', SCOPE, () => true);
  const store = later(20_000);
  expect(await store.begin(key, 'body', SCOPE, () => false)).toEqual({ kind: 'stored', reply: REPLY });
  expect(await store.begin(key, 'body', SCOPE, () => true)).toMatchObject({ kind: 'started', outdated: REPLY });
});
