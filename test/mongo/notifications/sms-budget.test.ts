import { expect, test } from 'vitest';
import { smsBudgetStore } from '../../../src/mongo/notifications/daily-limit-stores.ts';
import { provideDatabase } from '../../support/database.ts';

const database = await provideDatabase();

test('concurrent sends never exceed the budget, which each tenant and day has of its own', async () => {
  const store = smsBudgetStore(database);
  const taken = await Promise.all(Array.from({ length: 60 }, () => store.take('t1', 3, 100)));
  expect(taken.filter(Boolean)).toHaveLength(33);
  expect(await store.take('t1', 1, 100)).toBe(true);
  expect(await store.take('t1', 1, 100)).toBe(false);
  expect(await store.take('t1', 1, 200)).toBe(true);
  expect(await store.take('t2', 100, 100)).toBe(true);
  expect(await store.take('t3', 101, 100)).toBe(false);
  await store.giveBack('t2', 40);
  expect([await store.take('t2', 41, 100), await store.take('t2', 40, 100)]).toEqual([false, true]);

  const tomorrow = new Date(Date.now() + 86_400_000);
  expect(await Promise.all([store.readUsed('t1', new Date()), store.readUsed('t1', tomorrow)])).toEqual([101, 0]);
  const later = smsBudgetStore({ ...database, clock: { now: () => tomorrow } });
  expect(await later.take('t1', 100, 100)).toBe(true);
  // A message that was taken before midnight.
  expect(await later.take('t2', 10, 100)).toBe(true);
  await later.giveBack('t2', 40);
  expect(await later.take('t2', 100, 100)).toBe(false);
});
