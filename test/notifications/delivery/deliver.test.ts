import { getEventListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ChannelAdapter } from '../../../src/notifications/channel-adapter.ts';
import type { Outgoing } from '../../../src/notifications/content/message.ts';
import { capacityOf } from '../../../src/notifications/delivery/capacity.ts';
import { type DeliverDeps, deliver, sendBatch } from '../../../src/notifications/delivery/deliver.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import type { Outcome } from '../../../src/notifications/outcome.ts';
import type { DeliveryResult } from '../../../src/notifications/policy/retry.ts';
import { anEvent, aSchool, NOW } from '../../support/builders.ts';
import { latch } from '../../support/latch.ts';
import { aDelivery, aFact } from '../../support/message-builders.ts';

const event = anEvent({ status: 'published' });
const fact = aFact('event.published', {}, { event_id: event.id, occurred_at: event.published_at ?? NOW });
const about = { event_id: event.id, fact_id: fact.id, trigger: fact.type, channel: 'sms' } as const;
const row = (id: string, address = '+420601000001') => aDelivery({ ...about, id, user_id: id, address });
const STOPS = '+420601000002';
const JOB = { claim: 'ours', urgent: false, until: 0 };
const ACCEPTED: Outcome = { kind: 'accepted' };

/** The dependencies of the delivery path for one event and a channel with two connections; records all writes. */
function parts(answer: (id: string) => Promise<Outcome>, more: Partial<DeliverDeps> = {}) {
  const sending: string[] = [];
  const recorded: DeliveryResult[] = [];
  const adapter = {
    capacity: 2,
    send: ({ delivery }: Outgoing) => answer(delivery.id),
  } as unknown as ChannelAdapter;
  const deps = {
    ...capacityOf(adapter),
    adapter,
    clock: { now: () => NOW },
    random: () => 0.5,
    leaseMs: 60_000,
    facts: { findMany: async () => [fact] },
    schools: { find: async () => aSchool() },
    events: { findMany: async () => [event] },
    contacts: { findMany: async () => [], findTies: async () => [], findChildren: async () => [] },
    registrations: { findStatuses: async () => [] },
    preferences: { findMany: async () => [] },
    suppressions: { findSuppressed: async () => new Set(), findStopped: async () => new Set([STOPS]) },
    deliveries: {
      findOthers: async () => [],
      lease: async (rows: { id: string }[]) => rows.map(({ id }) => id),
      markSending: async (leased: { id: string }[]) => {
        const ids = leased.map(({ id }) => id);
        sending.push(...ids);
        return ids;
      },
      record: async (results: DeliveryResult[]) => void recorded.push(...results),
    },
    links: { place: () => '', unsubscribe: () => '' },
    publicUrl: 'http://school.example',
    contentOf: () => ({ key: 'content', calendar: null }),
    isStopping: () => false,
    stopped: new AbortController().signal,
    readyTexts: async () => {},
    textVersion: () => 'texts-1',
    isUnchanged: async () => true,
    report: () => {},
    ...more,
  } as unknown as DeliverDeps;
  const send = async (...units: (Delivery | Delivery[])[]) => {
    const release = await deps.prepared.acquire(units.length, false);
    const all = units.map((unit) => [unit].flat());
    await sendBatch(deps, JOB, all, release);
  };
  return { deps, send, sending, recorded };
}

/** A channel whose answers the test gives one by one. */
function answers() {
  const waiting = new Map<string, (outcome: Outcome) => void>();
  return {
    ask: (id: string) => new Promise<Outcome>((resolve) => waiting.set(id, resolve)),
    give: async (id: string, outcome: Outcome) => {
      await expect.poll(() => waiting.has(id)).toBe(true);
      waiting.get(id)?.(outcome);
    },
  };
}

test('throws the database’s error when all batches have ended, and leaves no rejection unhandled meanwhile', async () => {
  const unhandled: unknown[] = [];
  const listener = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', listener);
  let asked = 0;
  const rows = ['a', 'b', 'c', 'd'].map((id) => row(id));
  const { deps } = parts(async () => ACCEPTED, {
    batchSize: 2,
    // The first batch fails while the second waits for the rate limiter.
    acquireRate: async () => {
      asked += 1;
      if (asked > 1) await delay(20);
      return asked === 1;
    },
  });
  const failing = {
    ...deps.deliveries,
    findDue: async () => rows,
    release: async () => {},
    lease: async () => Promise.reject(new Error('no primary')),
  };
  await expect(deliver({ ...deps, deliveries: failing }, { ids: ['a', 'b', 'c', 'd'], urgent: false })).rejects.toThrow(
    'no primary',
  );
  process.off('unhandledRejection', listener);
  expect([asked, unhandled]).toEqual([2, []]);
});

test('marks a message as sending only when it has a connection, and records it immediately', async () => {
  const { ask, give } = answers();
  const { send, sending, recorded } = parts(ask);
  const sent = send(row('a'), row('b'), row('c'), row('d'));
  await give('b', ACCEPTED);
  await expect.poll(() => recorded.map(({ id, to }) => `${id} ${to}`)).toEqual(['b sent']);
  await give('c', ACCEPTED);
  expect(sending).toEqual(['a', 'b', 'c']);
  await give('a', ACCEPTED);
  await give('d', ACCEPTED);
  await sent;
  expect(recorded.map(({ id }) => id).sort()).toEqual(['a', 'b', 'c', 'd']);
});

test('lets one of two workers wait that leased parts of a digest, also after its first member was settled', async () => {
  const digest = ['b', 'c'].map((id) => ({ ...row(id), digest_id: 'a' }));
  const wait = async (id: string, unit: Delivery[]) => {
    const { deps, send, recorded } = parts(async () => ACCEPTED);
    Object.assign(deps.deliveries, { lease: async () => [id] });
    await send(unit);
    return recorded;
  };
  expect(await wait('b', digest)).toMatchObject([{ id: 'b', to: 'waiting', afterMs: 1_000 }]);
  expect(await wait('c', digest.toReversed())).toMatchObject([{ id: 'c', to: 'waiting', afterMs: 0 }]);
});

test('sends only the urgent part of a digest to an address that wants no other messages', async () => {
  const { send, recorded } = parts(async () => ACCEPTED, {
    suppressions: {
      findStopped: async () => new Set(),
      findSuppressed: async (_tenant: string, _channel: string, addresses: string[], { urgent }: { urgent: boolean }) =>
        new Set(urgent ? [] : addresses),
      recordBlocked: async () => {},
    } as never,
  });
  await send([{ ...row('urgent'), urgent: true }, row('routine')]);
  await send([row('routine'), { ...row('urgent'), urgent: true }]);
  const results = recorded.map(({ id, to }) => `${id} ${to}`).sort();
  expect(results).toEqual(['routine skipped', 'routine skipped', 'urgent sent', 'urgent sent']);
});

test('records messages that the gate stops before the others of the group are answered', async () => {
  const { ask, give } = answers();
  const { send, recorded } = parts(ask);
  const sent = send(row('goes'), row('stops', STOPS));
  await expect.poll(() => recorded).toMatchObject([{ id: 'stops', to: 'skipped', reason: 'opted_out' }]);
  await give('goes', ACCEPTED);
  await sent;
  expect(recorded).toMatchObject([{ id: 'stops' }, { id: 'goes', to: 'sent' }]);
});

test('counts a message that the gate stops before its second try as sent, unless the provider said that it was not', async () => {
  const { send, recorded } = parts(async () => ACCEPTED);
  const again = (channel: 'email' | 'push' | 'sms') => ({ ...row(channel, STOPS), channel, repeated: true });
  await send(again('email'), again('push'), again('sms'));
  expect(recorded.map(({ id, to }) => `${id} ${to}`).sort()).toEqual([
    'email sent_unconfirmed',
    'push sent_unconfirmed',
    'sms skipped',
  ]);
});

test('releases messages without a connection when the process stops, without counting an attempt', async () => {
  const { ask, give } = answers();
  let isStopping = false;
  const { send, sending, recorded } = parts(ask, { isStopping: () => isStopping });
  const sent = send(row('a'), row('b'), row('c'));
  await expect.poll(() => sending).toEqual(['a', 'b']);
  isStopping = true;
  await give('a', ACCEPTED);
  await give('b', ACCEPTED);
  await sent;
  expect(sending).toEqual(['a', 'b']);
  expect(recorded.find(({ id }) => id === 'c')).toMatchObject({ to: 'waiting', afterMs: 0, attempts: 0, errors: 0 });
});

test('does not send a digest while another worker leases a member; the worker without its first member retries first', async () => {
  const { deps, send, sending, recorded } = parts(async () => ACCEPTED);
  const digest = (...ids: string[]) => ids.map((id) => ({ ...row(id), digest_id: ids[0] ?? null }));
  deps.deliveries.lease = async () => ['x1', 'y2', 'z1', 'z2'];
  await send(digest('x1', 'x2'), digest('y1', 'y2'), digest('z1', 'z2'));
  expect(sending).toEqual(['z1', 'z2']);
  expect(recorded.slice(0, 2)).toMatchObject([
    { id: 'x1', to: 'waiting', afterMs: 1_000 },
    { id: 'y2', to: 'waiting', afterMs: 0 },
  ]);
});

test('records unanswered messages as unknown when the process can wait no longer', async () => {
  const stopped = new AbortController();
  const { send, sending, recorded } = parts(() => new Promise(() => {}), { stopped: stopped.signal });
  const sent = send(row('a'));
  await expect.poll(() => sending).toEqual(['a']);
  stopped.abort();
  await sent;
  expect(recorded).toMatchObject([{ id: 'a', to: 'unknown', attempts: 1 }]);
});

test('keeps nothing of an answered message until the process stops', async () => {
  const { signal } = new AbortController();
  const { send, recorded } = parts(async () => ACCEPTED, { stopped: signal });
  await send(row('a'), row('b'));
  expect(recorded).toMatchObject([{ to: 'sent' }, { to: 'sent' }]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('releases all messages after a restored backup, without counting an attempt', async () => {
  const { send, sending, recorded } = parts(async () => ACCEPTED, { isUnchanged: async () => false });
  await send(row('a'), row('b', STOPS));
  expect(sending).toEqual([]);
  expect(recorded).toMatchObject(['a', 'b'].map((id) => ({ id, to: 'waiting', attempts: 0, errors: 0 })));
});

test('marks the next message of a connection when the previous result is given to the database, not before', async () => {
  const order: string[] = [];
  const { deps, send } = parts(async () => ACCEPTED, { ...capacityOf({ capacity: 1 } as ChannelAdapter) });
  const { open: write, opened: written } = latch();
  const markSending: DeliverDeps['deliveries']['markSending'] = async (leased) => {
    const ids = leased.map(({ id }) => id);
    order.push(`mark ${ids}`);
    return ids;
  };
  const record: DeliverDeps['deliveries']['record'] = (results) => {
    order.push(`record ${results.map(({ id }) => id)}`);
    return written;
  };
  Object.assign(deps.deliveries, { markSending, record });
  const sent = send(row('a'), row('b'));
  await expect.poll(() => order).toEqual(['mark a', 'record a', 'mark b', 'record b']);
  write();
  await sent;
});

test('runs the gate again for a message that waited long for a connection', async () => {
  let now = NOW;
  const { ask, give } = answers();
  const { send, sending, recorded } = parts(ask, { clock: { now: () => now } });
  const sent = send(row('a'), row('b'), row('c'));
  await expect.poll(() => sending).toEqual(['a', 'b']);
  now = new Date(NOW.getTime() + 10_000);
  await give('a', ACCEPTED);
  await give('b', ACCEPTED);
  await sent;
  expect(sending).not.toContain('c');
  expect(recorded.find(({ id }) => id === 'c')).toMatchObject({ to: 'waiting', afterMs: 0 });
});

/** Fails like a program with a bug that one row triggers. */
const failingOver =
  (fault: Error): DeliverDeps['readyTexts'] =>
  async (rows) => {
    if (rows.some((one) => one.id === 'odd')) throw fault;
  };

test('counts an internal error against its row only, and sends the others of the group', async () => {
  const readyTexts = failingOver(new TypeError('no such language'));
  const { send, recorded } = parts(async () => ACCEPTED, { readyTexts });
  await send(row('odd'), row('goes'));
  expect(recorded).toMatchObject([
    { id: 'odd', to: 'waiting', errors: 1, detail: 'not evaluated' },
    { id: 'goes', to: 'sent' },
  ]);
  await send({ ...row('odd'), errors: 4 });
  expect(recorded.at(-1)).toMatchObject({ id: 'odd', to: 'quarantined', reason: 'errors' });
});

test('releases the whole group without counting errors if the database fails', async () => {
  const readyTexts = failingOver(new Error('connection lost'));
  const { send, recorded } = parts(async () => ACCEPTED, { readyTexts });
  await expect(send(row('odd'), row('goes'))).rejects.toThrow('connection lost');
  expect(recorded).toMatchObject([
    { id: 'odd', to: 'waiting', errors: 0 },
    { id: 'goes', to: 'waiting', errors: 0 },
  ]);
});
