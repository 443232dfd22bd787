import { beforeAll, expect, test, vi } from 'vitest';
import { cachedContents } from '../../../src/notifications/delivery/compose.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { type FanOutDeps, fanOut } from '../../../src/notifications/fan-out/fan-out.ts';
import { sendDueInApp } from '../../../src/notifications/fan-out/in-app.ts';
import type { DeliveryResult } from '../../../src/notifications/policy/retry.ts';
import { FACT_VERSION } from '../../../src/outbox/fact.ts';
import type { FactPart, UnpublishedFact } from '../../../src/outbox/ports.ts';
import { aContact, anEvent, aSchool, NOW } from '../../support/builders.ts';
import { aDelivery, aFact, fanOutParts } from '../../support/message-builders.ts';

const IN_APP = ['in_app'] as const;
const event = anEvent({ status: 'published', published_at: NOW, updated_at: NOW });
const fact = aFact('event.published', {}, { event_id: event.id, occurred_at: NOW });
const cancelled = aFact('event.cancelled', {}, { event_id: event.id, occurred_at: NOW });
const TEXT_FAILS = 'person-00001';
const OPTED_OUT = 'person-00002';

const people = (length: number) => Array.from({ length }, (_, n) => aContact(`person-${String(n).padStart(5, '0')}`));

type Write = { rows: readonly Delivery[]; end(collided?: readonly Delivery[]): void; fail(error: Error): void };

/** Fans out at a school that announces in-app only; the test ends each write. */
function startFanOut({ contacts = people(4), status = event.status } = {}) {
  const writes: Write[] = [];
  const checkpoints: string[] = [];
  const signalled: string[] = [];
  const results: DeliveryResult['to'][] = [];
  const published: (boolean | number[])[][] = [];
  let parts: readonly FactPart[] = [];
  let isProcessed = false;
  let deferred = 0;
  const deps = {
    ...fanOutParts,
    contentOf: cachedContents(),
    textOf: ({ person }: { person: { name: string } }) => {
      if (person.name === TEXT_FAILS) throw new Error('a bad template');
      return { title: 'Concert', body: person.name };
    },
    report: ({ to }: DeliveryResult) => void results.push(to),
    onInAppDeferred: () => {
      deferred += 1;
    },
    clock: { now: () => NOW },
    facts: {
      findWithParts: async () => ({ fact, parts }),
      split: async (_: string, ranges: readonly FactPart[]) => {
        parts = ranges;
        return parts;
      },
      saveCheckpoint: async (_: string, __: number, next: string) => void checkpoints.push(next),
      finishPart: async () => true,
      markProcessed: async () => {
        isProcessed = true;
      },
    },
    events: { findMany: async () => [{ ...event, status }] },
    schools: { find: async () => aSchool({ channels: { 'event.published': [...IN_APP] } }) },
    contacts: {
      findRangeEnds: async () => [],
      findPage: async (_: unknown, { after }: FactPart, limit: number) =>
        contacts.filter(({ user_id }) => after === null || user_id > after).slice(0, limit),
      findChildren: async () => [],
      findMany: async () => [],
    },
    preferences: { findMany: async () => [{ user_id: OPTED_OUT, opted_out: ['event.published:in_app'] }] },
    pushSubscriptions: { findMany: async () => [] },
    deliveries: {
      findOthers: async () => [],
      isBeingAnnounced: async () => false,
      insertMany: (rows: readonly Delivery[]) =>
        new Promise<{ collided: Delivery[] }>((resolve, fail) => {
          writes.push({ rows, end: (collided = []) => resolve({ collided: [...collided] }), fail });
        }),
    },
    inbox: {
      signalArrivals: async (rows: readonly Delivery[]) => void signalled.push(...rows.map(({ user_id }) => user_id)),
    },
    openChannels: new Set(IN_APP),
    factQueue: {
      publishParts: async ({ urgent }: UnpublishedFact, parts: number[]) => void published.push([urgent, parts]),
    },
  } as unknown as FanOutDeps;
  const running = fanOut(deps, fact.id).then(async (rows) => [rows, await fanOut(deps, fact.id, 0)]);
  return {
    running,
    deps,
    writes,
    published,
    checkpoints,
    signalled,
    results,
    isProcessed: () => isProcessed,
    deferred: () => deferred,
  };
}

const until = (isSo: () => boolean) => vi.waitUntil(isSo, { timeout: 20_000, interval: 5 });

test('writes the next batch of a part only after the one before is stored and its checkpoint saved', async () => {
  // Three batches, the last two in one part.
  const { running, writes, published, checkpoints, isProcessed } = startFanOut({ contacts: people(2_500) });
  for (const [n, first] of ['person-00000', 'person-01000', 'person-02000'].entries()) {
    await until(() => writes.at(n)?.rows[0]?.user_id === first);
    expect(published).toEqual(n === 0 ? [] : [[false, [0]]]);
    expect(checkpoints).toEqual(n === 2 ? ['person-01999'] : []);
    expect(isProcessed()).toBe(false);
    writes[n]?.end();
  }
  expect(await running).toEqual([1_000, 1_500]);
  expect(isProcessed()).toBe(true);
});

test('rejects without a checkpoint or a signal if a batch could not be stored', async () => {
  const { running, writes, checkpoints, signalled, isProcessed } = startFanOut();
  await until(() => writes.length === 1);
  writes[0]?.fail(new Error('no primary'));
  await expect(running).rejects.toThrow('no primary');
  expect([checkpoints, signalled]).toEqual([[], []]);
  expect(isProcessed()).toBe(false);
});

test('publishes only the unfinished parts again, and drafts nothing, if a fact is repeated after its split', async () => {
  const { deps, writes, published, isProcessed } = startFanOut();
  await until(() => writes.length === 1);
  const parts: FactPart[] = [
    { after: 'a', until: 'b', done: true },
    { after: 'b', until: null },
  ];
  deps.facts.findWithParts = async () => ({ fact: cancelled, parts });
  expect(await fanOut(deps, fact.id)).toBe(0);
  expect(published).toEqual([[true, [1]]]);
  expect(await fanOut(deps, fact.id, 0)).toBe(0);
  expect([writes.length, isProcessed()]).toEqual([1, false]);
});

test('finishes a fact whose parts are all finished', async () => {
  const { deps, writes, isProcessed } = startFanOut();
  await until(() => writes.length === 1);
  deps.facts.findWithParts = async () => ({ fact, parts: [{ after: 'a', until: null, done: true }] });
  await fanOut(deps, fact.id);
  expect(isProcessed()).toBe(true);
});

test('finishes a fact whose event is gone', async () => {
  const { deps, writes, isProcessed } = startFanOut();
  await until(() => writes.length === 1);
  deps.events.findMany = async () => [];
  await fanOut(deps, fact.id);
  expect(isProcessed()).toBe(true);
});

test('leaves a fact of a newer version to newer processes', async () => {
  const { deps, writes, isProcessed } = startFanOut();
  await until(() => writes.length === 1);
  deps.facts.findWithParts = async () => ({ fact: { ...fact, v: FACT_VERSION + 1 }, parts: [] });
  expect(await fanOut(deps, fact.id)).toBe(0);
  expect([writes.length, isProcessed()]).toEqual([1, false]);
});

/** Stores the only batch, whose rows may exist already. @returns its rows */
async function storeBatch(status = event.status, { exist = false } = {}) {
  const { running, writes, signalled, results, deferred } = startFanOut({ status });
  await until(() => writes.length === 1);
  const rows = writes[0]?.rows ?? [];
  writes[0]?.end(exist ? rows : []);
  await running;
  return { rows, signalled, results, deferred: deferred() };
}

let announced: Awaited<ReturnType<typeof storeBatch>>;
beforeAll(async () => {
  announced = await storeBatch();
});

test('stores in-app messages as sent, with their text, and signals and reports each once', () => {
  const { rows, signalled, results } = announced;
  expect(rows[0]).toMatchObject({ status: 'sent', attempts: 1, title: 'Concert', body: 'person-00000' });
  expect(rows[0]).toMatchObject({ settled_at: NOW, queued_at: null });
  expect(signalled).toEqual(['person-00000', 'person-00003']);
  expect(results.filter((to) => to === 'sent')).toHaveLength(2);
});

test('signals messages again that a process had stored before it ended, and does not report them again', async () => {
  const { signalled, results } = await storeBatch(event.status, { exist: true });
  expect([signalled, results]).toEqual([announced.signalled, []]);
});

test('stores an in-app message that its reader does not want as skipped', () => {
  const { rows } = announced;
  expect(rows[2]).toMatchObject({ user_id: OPTED_OUT, status: 'skipped', reason: 'opted_out', title: null });
});

test('stores an in-app message whose text fails as waiting, with the error, and wakes the loop that sends it later', () => {
  const { rows, deferred } = announced;
  expect(deferred).toBe(1);
  const later = new Date(NOW.getTime() + 30_000);
  expect(rows[1]).toMatchObject({ user_id: TEXT_FAILS, status: 'waiting', errors: 1, detail: 'in_app text' });
  expect(rows[1]).toMatchObject({ due_at: later, title: null, queued_at: null });
});

test('stores every in-app message as skipped if the event was cancelled meanwhile', async () => {
  const { rows, signalled, deferred } = await storeBatch('cancelled');
  expect(deferred).toBe(0);
  expect(new Set(rows.map(({ status, reason }) => `${status} ${reason}`))).toEqual(new Set(['skipped event_state']));
  expect(signalled).toEqual([]);
});

test('sends only waiting in-app messages that this process could lease, and none to people who have left', async () => {
  const waiting = ['ours', 'theirs', 'gone'].map((id) =>
    aDelivery({ id, channel: 'in_app', fact_id: fact.id, user_id: id }),
  );
  const recorded: DeliveryResult[] = [];
  const signalled: string[] = [];
  const deps = {
    ...fanOutParts,
    clock: { now: () => NOW },
    facts: { findMany: async () => [fact] },
    events: { findMany: async () => [event] },
    schools: { find: async () => aSchool() },
    preferences: { findMany: async () => [] },
    contacts: { findTies: async () => [aContact('gone', { left_at: NOW })], findMany: async () => [] },
    deliveries: {
      findDueInApp: async () => waiting,
      lease: async () => ['ours', 'gone'],
      record: async (results: readonly DeliveryResult[]) => void recorded.push(...results),
    },
    inbox: { signalArrivals: async (rows: readonly Delivery[]) => void signalled.push(...rows.map(({ id }) => id)) },
    readyTexts: async () => {},
    isUnchanged: async () => true,
    suppressions: { findSuppressed: async () => new Set(), findStopped: async () => new Set() },
    leaseMs: 1_000,
  } as unknown as Parameters<typeof sendDueInApp>[0];
  await sendDueInApp(deps);
  expect(recorded).toMatchObject([
    { to: 'sent', id: 'ours', text: { title: event.title, body: 'Eva' } },
    { to: 'skipped', id: 'gone', reason: 'left_school' },
  ]);
  expect(signalled).toEqual(['ours']);
});
