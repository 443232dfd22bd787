import { expect, test, vi } from 'vitest';
import { type FanOutDeps, fanOut } from '../../../src/notifications/fan-out/fan-out.ts';
import type { EndedDelivery } from '../../../src/notifications/fan-out/inbox-lock.ts';
import { aContact, aFact, anEvent, aSchool, NOW } from '../../support/builders.ts';

const IN_APP = ['in_app'] as const;
const event = anEvent({ status: 'published', updated_at: NOW });
const fact = aFact('event.published', {}, { event_id: event.id, occurred_at: NOW });

type Write = { first: string; end(stored: boolean): void; fail(error: Error): void };

/** Fans out to three batches at a school that announces in-app only; each direct inbox write ends when the test says so. */
function startFanOut() {
  const contacts = Array.from({ length: 2_500 }, (_, n) => aContact(`person-${String(n).padStart(5, '0')}`));
  const writes: Write[] = [];
  const checkpoints: string[] = [];
  const queued: string[] = [];
  let isProcessed = false;
  const stores = {
    clock: { now: () => NOW },
    facts: {
      find: async () => fact,
      findMany: async () => [fact],
      loadCheckpoint: async () => null,
      saveCheckpoint: async (_: string, next: string) => void checkpoints.push(next),
      markProcessed: async () => {
        isProcessed = true;
      },
    },
    events: { findAnywhere: async () => event, findMany: async () => [event] },
    schools: { find: async () => aSchool({ channels: { 'event.published': [...IN_APP] } }) },
    contacts: {
      pageAfter: async (_: unknown, after: string | null, limit: number) =>
        contacts.filter(({ user_id }) => after === null || user_id > after).slice(0, limit),
      childrenOf: async () => [],
      findMany: async () => [],
    },
    preferences: { findMany: async () => [] },
    pushSubscriptions: { findMany: async () => [] },
    registrations: { findStatuses: async () => [] },
    deliveries: {
      findOtherAnnouncements: async () => [],
      findInFlight: async () => [],
      isBeingAnnounced: async () => false,
      insertMany: async (rows: { user_id: string }[]) => {
        queued.push(...rows.map(({ user_id }) => user_id));
        return { collided: [] };
      },
    },
  };
  const deps = {
    ...stores,
    deliveryQueue: { depth: async () => ({ urgent: 0, bulk: 0, active: 0, later: 0 }), add: async () => {} },
    openChannels: new Set(IN_APP),
    inApp: {
      ...stores,
      inboxLocks: {
        acquire: async () => true,
        release: async () => {},
        write: (_: unknown, ended: readonly EndedDelivery[]) =>
          new Promise<boolean>((end, fail) => {
            writes.push({ first: ended[0]?.row.user_id ?? '', end, fail });
          }),
      },
      links: { place: () => '', unsubscribe: () => '' },
      publicUrl: 'http://school.example',
      organizerAddress: 'office@school.example',
      contentOf: () => ({ key: 'content', calendar: null }),
      entryOf: () => ({}),
      random: () => 0.5,
      report: () => {},
    },
  } as unknown as FanOutDeps;
  return { running: fanOut(deps, fact.id), writes, checkpoints, queued, isProcessed: () => isProcessed };
}

const until = (expected: () => void) => vi.waitFor(expected, { timeout: 5_000, interval: 5 });

test('writes the next batch only after the one before is stored and its checkpoint saved', async () => {
  const { running, writes, checkpoints, isProcessed } = startFanOut();
  for (const [n, first] of ['person-00000', 'person-01000', 'person-02000'].entries()) {
    await until(() => expect(writes.at(n)?.first).toBe(first));
    expect(checkpoints).toEqual(['person-00999', 'person-01999'].slice(0, n));
    expect(isProcessed()).toBe(false);
    writes[n]?.end(true);
  }
  expect(await running).toEqual({ rows: 2_500, left: false });
  expect(isProcessed()).toBe(true);
});

test('rejects without a checkpoint if a batch could not be stored', async () => {
  const { running, writes, checkpoints, isProcessed } = startFanOut();
  await until(() => expect(writes).toHaveLength(1));
  writes[0]?.fail(new Error('no primary'));
  await expect(running).rejects.toThrow('no primary');
  expect(checkpoints).toEqual([]);
  expect(isProcessed()).toBe(false);
});

test('stores the rows of a direct write that failed, for the queue', async () => {
  const { running, writes, checkpoints, queued } = startFanOut();
  await until(() => expect(writes).toHaveLength(1));
  writes[0]?.end(false);
  await until(() => expect(writes).toHaveLength(2));
  expect(checkpoints).toEqual(['person-00999']);
  expect(queued).toHaveLength(1_000);
  expect(queued[0]).toBe('person-00000');
  writes[1]?.end(true);
  await until(() => expect(writes).toHaveLength(3));
  writes[2]?.end(true);
  await running;
  expect(queued).toHaveLength(1_000);
});
