import { expect, test } from 'vitest';
import { bytesOfAll } from '../../../src/events/rules/validation.ts';
import { eventStore } from '../../../src/mongo/events/event-store.ts';
import { anEvent, at, SCOPE } from '../../support/builders.ts';
import { provideDatabase } from '../../support/database.ts';

const database = await provideDatabase();

test('sums the bytes of the occurrences of a series as they are now', async () => {
  const store = eventStore(database);
  const size = () => store.measureSeries(SCOPE, 'first');
  const first = anEvent({ id: 'first', is_recurring: true, description: 'ř'.repeat(500) });
  const second = anEvent({ id: 'second', parent_event_id: 'first' });
  const others = [
    anEvent({ id: 'deleted', parent_event_id: 'first', deleted_at: at('2026-09-01T08:00:00Z') }),
    anEvent({ id: 'elsewhere', parent_event_id: 'first', school_id: 's2' }),
    anEvent({ id: 'alone' }),
  ];
  expect(await size()).toEqual({ count: 0, bytes: 0 });
  await database.transact((tx) => store.insert([first, second, ...others], tx));
  expect(await size()).toEqual({ count: 2, bytes: bytesOfAll([first, second]) });
  const longer = { ...second, description: 'x'.repeat(1000), version: second.version + 1 };
  await database.transact((tx) => store.replaceMany([{ before: second, after: longer }], tx));
  expect(await size()).toEqual({ count: 2, bytes: bytesOfAll([first, longer]) });
  expect((await store.find(SCOPE, 'second')) ?? {}).not.toHaveProperty('json_bytes');
});
