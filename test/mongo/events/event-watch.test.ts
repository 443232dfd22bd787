import { expect, inject, onTestFinished, test } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import { eventWatch } from '../../../src/mongo/events/event-watch.ts';
import { openDatabase } from '../../../src/mongo/open-database.ts';
import { freshDatabaseUri, provideDatabase } from '../../support/database.ts';
import { profile } from '../../support/profile.ts';

const shared = await provideDatabase();

test('reports events and withdrawn messages, and nothing after a loss', async () => {
  // Its own, since it loses a collection.
  const database = await openDatabase(freshDatabaseUri(inject('mongodbUri')));
  onTestFinished(() => database.close());
  const [events, messages] = [database.collection('events'), database.collection('messages')];
  const reported: string[] = [];
  const stop = await eventWatch(database).listen(
    (id) => reported.push(id),
    () => reported.push('lost'),
  );
  onTestFinished(stop);
  await messages.insertOne({ _id: 'a message' } as never);
  await messages.updateOne({ _id: 'a message' }, { $set: { status: 'withdrawn' } });
  await events.insertOne({ _id: 'an event' } as never);
  await expect.poll(() => reported).toEqual(['a message', 'an event']);
  await messages.drop();
  await events.insertOne({ _id: 'a later event' } as never);
  await expect.poll(() => reported).toContain('a later event');
  expect(reported).toEqual(['a message', 'an event', 'a later event']);
});

test('finds what hides an event without reading its registrations', async () => {
  const facts = shared.collection('facts');
  const fact = (_id: string, type: string, at: Date, data = {}) =>
    ({ _id, event_id: 'busy', type, occurred_at: at, data }) as never;
  const earlier = new Date(Date.now() - 3_600_000);
  const old = Array.from({ length: 500 }, (_, n) =>
    fact(`01900000-0000-7000-8000-${n}`, 'registration.confirmed', earlier),
  );
  await facts.insertMany([...old, fact(newId(), 'event.edited', new Date(), { fields: ['visibility'] })]);
  await facts.insertOne(fact(newId(), 'event.edited', new Date(), { fields: ['title'] }));
  const { findHidden } = eventWatch(shared);
  expect(await findHidden(['busy'])).toEqual(new Set(['busy']));
  const ns = { ns: /[.]facts$/, docsExamined: { $exists: true } };
  const [work] = await profile(shared, ns, () => findHidden(['busy']));
  expect(work?.docsExamined).toBe(2);
});
