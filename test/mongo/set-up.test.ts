import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { COLLECTION_NAMES } from '../../src/mongo/collections.ts';
import { type Database, openDatabase } from '../../src/mongo/database.ts';
import { deliveryStore } from '../../src/mongo/notifications/delivery-store.ts';
import { inboxStore } from '../../src/mongo/notifications/inbox-store.ts';
import { NOW, SCOPE } from '../support/builders.ts';
import { freshDatabaseUri } from '../support/database.ts';
import { aDelivery } from '../support/message-builders.ts';

let database: Database;
beforeAll(async () => {
  database = await openDatabase(freshDatabaseUri(inject('mongodbUri')));
  await database.setUp();
});
afterAll(() => database?.close());

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

test('moves the entries of an earlier version into their deliveries, also after a crash in between', async () => {
  const rows = database.collection('deliveries');
  const ids = ['unread', 'read', 'moved'];
  await deliveryStore(database).insertMany(
    ids.map((id) => aDelivery({ id, channel: 'in_app', status: 'sent', settled_at: NOW })),
  );
  // Moved before the crash, and read since.
  const read_at = new Date();
  await rows.updateOne({ _id: 'moved' }, { $set: { title: 'Concert', body: 'On Friday', read_at } as never });
  const arrived = new mongoose.mongo.Timestamp({ t: 1_700_000_000, i: 1 });
  const entries = [...ids, 'without a delivery'].map((_id) => {
    const text = { title: 'Concert', body: 'On Friday', url: 'https://school.test/events/1' };
    return { _id, ...SCOPE, user_id: 'eva', event_id: 'event-1', ...text, arrived, created_at: NOW, read_at: null };
  });
  const old = database.collection('inbox' as never);
  await old.insertMany(entries as never);
  await old.updateOne({ _id: 'read' } as never, { $set: { read_at: NOW, archived_at: NOW } as never });
  await database.collection('tellings' as never).insertOne({ _id: 'fact' } as never);
  await database.setUp();
  await database.setUp();
  const inbox = inboxStore(database);
  const page = (archived: boolean) => inbox.page(SCOPE, 'eva', { unread: false, archived, limit: 9 });
  const text = { title: 'Concert', body: 'On Friday', settled_at: NOW, status: 'sent' };
  expect(await page(false)).toMatchObject([
    { id: 'unread', ...text, read_at: null, arrived_at: 1_700_000_000 },
    { id: 'moved', ...text, read_at },
  ]);
  expect(await page(true)).toMatchObject([{ id: 'read', ...text, read_at: NOW, archived_at: NOW }]);
  expect(await inbox.countUnread(SCOPE, 'eva')).toEqual([{ event_id: 'event-1', unread_count: 1, unseen_count: 1 }]);
  expect(await rows.countDocuments({})).toBe(3);
  expect(await database.collectionId('inbox' as never)).toBeNull();
  expect(await database.collectionId('tellings' as never)).toBeNull();
});
