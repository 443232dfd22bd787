import { expect, test, vi } from 'vitest';
import { type FanOutDeps, fanOut } from '../../../src/notifications/fan-out/fan-out.ts';
import type { Told } from '../../../src/notifications/fan-out/inbox-lock.ts';
import { aContact, aFact, anEvent, aSchool, NOW } from '../../support/builders.ts';

const IN_APP = ['in_app'] as const;
const event = anEvent({ status: 'published', updated_at: NOW });
const fact = aFact('event.published', {}, { event_id: event.id, occurred_at: NOW });

type Write = { place: number; first: string; end(stored: boolean): void; fail(error: Error): void };

/** A fan-out of three batches at a school that announces in-app alone; each write into inboxes ends when it is told to. */
function announced() {
  const contacts = Array.from({ length: 2_500 }, (_, n) => aContact(`person-${String(n).padStart(5, '0')}`));
  const writes: Write[] = [];
  const checkpoints: string[] = [];
  const queued: string[] = [];
  let isWorkedOff = false;
  const stores = {
    clock: { now: () => NOW },
    facts: {
      find: async () => fact,
      findMany: async () => [fact],
      loadCheckpoint: async () => null,
      saveCheckpoint: async (_: string, next: string) => void checkpoints.push(next),
      markProcessed: async () => {
        isWorkedOff = true;
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
    registrations: { standings: async () => [] },
    deliveries: {
      announced: async () => [],
      onTheWire: async () => [],
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
      tellings: {
        begin: async () => true,
        end: async () => {},
        put: (_: unknown, place: number, told: readonly Told[]) =>
          new Promise<boolean>((end, fail) => {
            writes.push({ place, first: told[0]?.row.user_id ?? '', end, fail });
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
  return { running: fanOut(deps, fact.id), writes, checkpoints, queued, isWorkedOff: () => isWorkedOff };
}

/** For what must not happen. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 50));
const until = (expected: () => void) => vi.waitFor(expected, { timeout: 5_000, interval: 5 });
const begun = (writes: readonly Write[]) => writes.map(({ place, first }) => `${place} ${first}`);
const TWO = ['1 person-00000', '0 person-01000'];

test('two batches go into inboxes side by side, each at a place of its own, and no third one', async () => {
  const { running, writes } = announced();
  await until(() => expect(begun(writes)).toEqual(TWO));
  await aWhile();
  expect(writes).toHaveLength(2);
  writes[0]?.end(true);
  await until(() => expect(begun(writes)).toEqual([...TWO, '1 person-02000']));
  for (const write of writes) write.end(true);
  expect(await running).toEqual({ rows: 2_500, left: false });
});

test('a batch that is stored before the one ahead of it moves no checkpoint', async () => {
  const { running, writes, checkpoints, isWorkedOff } = announced();
  await until(() => expect(writes).toHaveLength(2));
  writes[1]?.end(true);
  await aWhile();
  expect(checkpoints).toEqual([]);
  writes[0]?.end(true);
  await until(() => expect(checkpoints).toEqual(['person-00999', 'person-01999']));
  await until(() => expect(writes).toHaveLength(3));
  expect(isWorkedOff()).toBe(false);
  writes[2]?.end(true);
  await running;
  expect(isWorkedOff()).toBe(true);
});

test('one that could not be stored ends the turn before its checkpoint, whatever came of the next', async () => {
  const { running, writes, checkpoints, isWorkedOff } = announced();
  await until(() => expect(writes).toHaveLength(2));
  writes[1]?.end(true);
  writes[0]?.fail(new Error('no primary'));
  await expect(running).rejects.toThrow('no primary');
  expect(checkpoints).toEqual([]);
  expect(isWorkedOff()).toBe(false);
});

test('what could not be told at once goes over the queue, and is stored in turn', async () => {
  const { running, writes, checkpoints, queued } = announced();
  await until(() => expect(writes).toHaveLength(2));
  writes[1]?.end(true);
  writes[0]?.end(false);
  await until(() => expect(checkpoints).toEqual(['person-00999', 'person-01999']));
  expect(queued).toHaveLength(1_000);
  expect(queued[0]).toBe('person-00000');
  await until(() => expect(writes).toHaveLength(3));
  writes[2]?.end(true);
  await running;
});
