import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { COLLECTION_NAMES } from '../../src/mongo/collections.ts';
import type { Database } from '../../src/mongo/database.ts';
import { openDatabase } from '../../src/mongo/open-database.ts';
import { freshDatabaseUri } from '../support/database.ts';

let database: Database;
beforeEach(async () => {
  database = await openDatabase(freshDatabaseUri(inject('mongodbUri')));
  await database.setUp();
});
afterEach(() => database?.close());

const indexes = () =>
  Promise.all(COLLECTION_NAMES.map(async (name) => [name, await database.collection(name).indexes()]));

test('a repeated set-up changes only indexes that an earlier version defined differently', async () => {
  const whole = JSON.stringify(await indexes());
  const ofEvents = database.collection('events');
  const whatWasThere = { since: new Date() };
  await ofEvents.insertOne(whatWasThere as never);
  await database.setUp();
  expect(JSON.stringify(await indexes())).toBe(whole);

  await ofEvents.dropIndex('due_to_start');
  await ofEvents.createIndex(
    { starts_at: 1 },
    { name: 'due_to_start', partialFilterExpression: { status: 'published' } },
  );
  await ofEvents.dropIndex('due_to_publish');
  await ofEvents.createIndex(
    { publish_at: 1 },
    { name: 'due_to_publish', partialFilterExpression: { status: 'scheduled' } },
  );
  expect(await database.faults()).toEqual([expect.stringContaining('due_to_start')]);
  await database.setUp();
  expect(await database.faults()).toEqual([]);
  const sorted = (all: string) => [...all].sort().join('');
  expect(sorted(JSON.stringify(await indexes()))).toBe(sorted(whole));
  expect(await ofEvents.countDocuments({})).toBe(1);
});
