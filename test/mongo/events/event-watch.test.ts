import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Database, openDatabase } from '../../../src/mongo/database.ts';
import { eventWatch } from '../../../src/mongo/events/event-watch.ts';
import { freshDatabaseUri } from '../../support/database.ts';

let database: Database;
beforeAll(async () => {
  database = await openDatabase(freshDatabaseUri(inject('mongodbUri')));
  await database.setUp();
});
afterAll(() => database?.close());

test('reports events and withdrawn messages, and nothing after a loss', async () => {
  const [events, messages] = [database.collection('events'), database.collection('messages')];
  const heard: string[] = [];
  const stop = await eventWatch(database).listen(
    (id) => heard.push(id),
    () => heard.push('lost'),
  );
  await messages.insertOne({ _id: 'a message' } as never);
  await messages.updateOne({ _id: 'a message' }, { $set: { status: 'withdrawn' } });
  await events.insertOne({ _id: 'an event' } as never);
  await expect.poll(() => heard).toEqual(['a message', 'an event']);
  await messages.drop();
  await events.insertOne({ _id: 'a later event' } as never);
  await expect.poll(() => heard).toContain('a later event');
  expect(heard).toEqual(['a message', 'an event', 'a later event']);
  await stop();
});
