import { readFileSync } from 'node:fs';
import { Queue } from 'bullmq';
import mongoose from 'mongoose';
import { expect, inject, onTestFinished, test } from 'vitest';
import { groupBy } from '../../src/core/groups.ts';
import { openDatabase } from '../../src/mongo/open-database.ts';
import { freshDatabaseUri, setUp } from '../support/database.ts';
import { eventually, startWorld } from '../support/world.ts';
import type { Recorded } from './record.ts';

/** Rows and jobs of the previous version in progress (record.ts), and the final states of its messages. */
const recorded = readFileSync(new URL('recorded.ndjson', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);
type Of<Kind> = Extract<Recorded, { kind: Kind }>;
const of = <Kind extends Recorded['kind']>(kind: Kind) =>
  recorded.filter((line): line is Of<Kind> & Recorded => line.kind === kind) as Of<Kind>[];

const REDIS_PREFIX = 'upgrade';

/** The database that this version's `setup` gets from the version before it. @returns its address */
async function storeRows(): Promise<string> {
  const mongodbUri = freshDatabaseUri(inject('mongodbUri'));
  const client = await mongoose.mongo.MongoClient.connect(mongodbUri);
  for (const rows of groupBy(of('row'), ({ collection }) => collection))
    await client
      .db()
      .collection(rows[0]?.collection ?? '')
      .insertMany(rows.map(({ row }) => mongoose.mongo.BSON.EJSON.deserialize(row as never) as never));
  await client.close();
  return mongodbUri;
}

/** Puts the first wake-up of each queue on it, as if Redis had lost the others. One is delayed, as for a message that is due soon. */
async function addJobs(redisUrl: string): Promise<void> {
  const { hostname: host, port } = new URL(redisUrl);
  for (const [job] of groupBy(of('job'), ({ queue }) => queue)) {
    const { queue, name, data, opts } = job as Of<'job'>;
    const opened = new Queue(queue, { connection: { host, port: Number(port) }, prefix: REDIS_PREFIX });
    await opened.add(name, data, { ...opts, ...(queue === 'sms-urgent' ? { delay: 500 } : {}) });
    await opened.close();
  }
}

test('this version finishes what the version before has begun, each message once, with some wake-ups and without', async () => {
  const world = await startWorld({ mongodbUri: await storeRows(), start: [], env: { REDIS_PREFIX } });
  onTestFinished(() => world.end());
  await addJobs(world.redis.uri);
  await world.start('all');
  const facts = world.database.collection('facts');
  await eventually('no fact is left', async () => (await facts.countDocuments({ relay: { $exists: true } })) === 0);
  const open = { status: { $in: ['waiting', 'claimed', 'sending', 'unknown'] }, channel: { $in: ['email', 'sms'] } };
  await eventually('every message has a result', async () => (await world.deliveries(open)).length === 0);

  const { log } = world.processes.find(({ name }) => name === 'all') ?? { log: [] };
  expect(log.filter(({ msg }) => /^job\.|failed|quarantined/.test(msg))).toEqual([]);
  // The correction of a postponement reaches no one if the announcement was about to be sent, and is then stopped by the gate.
  const found = await world.deliveries({ reason: { $ne: 'never_told' } });
  const outcomes = found.map(({ _id, channel, trigger, status, reason = null }) => ({
    kind: 'outcome',
    id: _id,
    channel,
    trigger,
    status,
    reason,
  }));
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  expect(outcomes.sort(byId)).toEqual(of('outcome').sort(byId));
  const sent = of('outcome').filter(({ status, channel }) => status === 'sent' && channel !== 'in_app');
  const accepted = world.accepted().map(({ delivery }) => delivery);
  expect(accepted.sort()).toEqual(sent.map(({ id }) => id).sort());
});

test('the recording has facts, messages and jobs of every kind in progress', () => {
  const rows = of('row') as { collection: string; row: Record<string, unknown> }[];
  const states = (collection: string, field: string) =>
    new Set(rows.filter((one) => one.collection === collection).map(({ row }) => row[field]));
  expect([...states('facts', 'relay')]).toEqual(expect.arrayContaining(['urgent', 'pending', undefined]));
  expect([...states('deliveries', 'status')]).toEqual(expect.arrayContaining(['waiting', 'sent', 'skipped']));
  const queues = new Set(of('job').map(({ queue }) => queue));
  expect([...queues]).toEqual(
    expect.arrayContaining(['fan-out', 'fan-out-urgent', 'email', 'email-urgent', 'sms-urgent']),
  );
});

test('setup brings the database of the version before to this one', async () => {
  const mongodbUri = await storeRows();
  await setUp(mongodbUri);
  const database = await openDatabase(mongodbUri);
  expect(await database.faults()).toEqual([]);
  await database.close();
});
