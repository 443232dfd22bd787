import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { NewFact } from '../../src/facts/fact.ts';
import type { FactLane } from '../../src/facts/ports.ts';
import { type Database, openDatabase } from '../../src/stores/database.ts';
import { factStore } from '../../src/stores/fact-store.ts';
import { aFact } from '../support/builders.ts';
import { freshDatabaseUri } from '../support/database.ts';
import { eventually } from '../support/world.ts';

/** Nothing of this file waits for the poll. */
const POLL_MS = 600_000;
const never = new AbortController().signal;

/** As two processes: each with its own connection. */
let speaking: Database;
let listening: Database;
let uri: string;
beforeAll(async () => {
  uri = freshDatabaseUri(inject('mongodbUri'));
  [speaking, listening] = await Promise.all([openDatabase(uri), openDatabase(uri)]);
  await speaking.setUp();
});
afterAll(() => Promise.all([speaking?.close(), listening?.close()]));

type Telling = 'event.cancelled' | 'event.published';

const record = (...types: Telling[]) => speaking.transact((tx) => factStore(speaking).record(types.map(newFact), tx));

const newFact = (type: Telling) => {
  const { id: _, v: __, ...fact } = aFact(type);
  return fact as NewFact;
};

/** The ids of a lane's facts as soon as there are any, asked for at each bell only. */
async function heard(facts: ReturnType<typeof factStore>, lane: FactLane): Promise<string[]> {
  for (;;) {
    await facts.waitForNew(lane, POLL_MS, never);
    const ids = (await facts.pending(lane, 10)).map(({ id }) => id);
    if (ids.length > 0) {
      await facts.markHandedOn(ids);
      return ids;
    }
  }
}

test('who waits hears of each fact that another process recorded, when it can be read', async () => {
  const facts = factStore(listening);
  for (let i = 0; i < 20; i += 1) {
    const hearing = heard(facts, 'urgent');
    const [fact] = await record('event.cancelled');
    expect(await hearing).toEqual([fact?.id]);
  }
  const hearing = heard(facts, 'bulk');
  const [fact] = await record('event.published');
  expect(await hearing).toEqual([fact?.id]);
  await facts.close();
});

test('who begins to wait late hears of what was recorded before', async () => {
  const recorded = (await record('event.published')).map(({ id }) => id);
  const facts = factStore(listening);
  expect(await heard(facts, 'bulk')).toEqual(recorded);
  await facts.close();
});

test('a cursor that is ended is opened again', async () => {
  const facts = factStore(listening);
  let hearing = heard(facts, 'urgent');
  await record('event.cancelled');
  await hearing;
  hearing = heard(facts, 'urgent');
  await eventually('its cursor is ended', async () => (await endCursors()) > 0);
  const [fact] = await record('event.cancelled');
  expect(await hearing).toEqual([fact?.id]);
  await facts.close();
});

test('without bells waiting lasts as long as the poll, and the cursor is tried again only now and then', async () => {
  await breakBells();
  const opened: number[] = [];
  const collection: Database['collection'] = (name) => {
    if (name === 'fact_bells') opened.push(performance.now());
    return listening.collection(name);
  };
  const facts = factStore({ ...listening, collection });
  opened.length = 0;
  const [fact] = await record('event.cancelled');
  const began = performance.now();
  await facts.waitForNew('urgent', 100, never);
  expect(performance.now() - began).toBeGreaterThan(90);
  expect(await facts.pending('urgent', 10)).toMatchObject([{ id: fact?.id }]);
  await expect.poll(() => opened.length).toBeGreaterThan(2);
  for (const [n, at] of opened.slice(1).entries()) expect(at - (opened[n] ?? 0)).toBeGreaterThan(400);

  await facts.markHandedOn([String(fact?.id)]);
  expect(await speaking.faults()).toEqual([expect.stringMatching(/fact_bells .*npm run setup/)]);
  await speaking.setUp();
  expect(await speaking.faults()).toEqual([]);
  const hearing = heard(facts, 'urgent');
  await record('event.cancelled');
  expect(await hearing).toHaveLength(1);
  await facts.close();
});

/** As they are where somebody rings before the collection is made: nobody can listen to them. */
async function breakBells(): Promise<void> {
  await speaking.collection('fact_bells').drop();
  await speaking.collection('fact_bells').insertOne({} as never);
}

/** @returns how many of them there were */
async function endCursors(): Promise<number> {
  const client = await new mongoose.mongo.MongoClient(uri).connect();
  try {
    const found = client
      .db('admin')
      .aggregate([
        { $currentOp: { idleCursors: true } },
        { $match: { ns: `${client.db().databaseName}.fact_bells`, 'cursor.tailable': true } },
      ]);
    const cursors = (await found.toArray()).map(({ cursor }) => cursor.cursorId);
    if (cursors.length > 0) await client.db().command({ killCursors: 'fact_bells', cursors });
    return cursors.length;
  } finally {
    await client.close();
  }
}
