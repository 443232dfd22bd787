import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRestoreGuard } from '../../src/app/restore-guard.ts';
import type { DatabaseAge } from '../../src/core/restore-guard.ts';
import { latch } from '../support/latch.ts';

const LONGER_THAN_FRESH_MS = 1_500;
const LOG = { error: vi.fn(), warn: vi.fn(), info: vi.fn() };

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** A guard that has compared a while ago, and a database whose next heartbeat waits for `finished`. */
async function aGuard() {
  let age: DatabaseAge = { epoch: 1, beat: new Date(0) };
  let isHeld = false;
  const database = { collection: 'original', comparisons: 0, requested: latch(), finished: latch() };
  const store = {
    readAge: async () => age,
    readCollectionId: async () => database.collection,
    async beat() {
      database.comparisons += 1;
      if (isHeld) {
        database.requested.open();
        await database.finished.opened;
      }
      age = { epoch: 1, beat: new Date(age.beat.getTime() + 1) };
      return age;
    },
    begin: async () => age,
    isNew: async () => false,
  };
  const guard = createRestoreGuard(store, [], LOG as never);
  await guard.look();
  isHeld = true;
  vi.advanceTimersByTime(LONGER_THAN_FRESH_MS);
  return { guard, database };
}

test('a job leases its rows while the database is compared, and the comparison counts for its gate', async () => {
  const { guard, database } = await aGuard();
  const isAllowed = guard.guardJobs(async () => {
    const checking = guard.isUnchanged();
    database.finished.open();
    return checking;
  });
  expect(await isAllowed()).toBe(true);
  expect(database.comparisons).toBe(2);
});

test('a job sends nothing if a backup is restored after the comparison has read and before the rows are leased', async () => {
  const { guard, database } = await aGuard();
  const isAllowed = guard.guardJobs(async () => {
    await database.requested.opened;
    database.collection = 'restored';
    database.finished.open();
    return guard.isUnchanged();
  });
  expect(await isAllowed()).toBe(false);
  expect(guard.state()).toBe('halted');
});
