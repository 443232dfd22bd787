import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliveryStore } from '../../src/mongo/notifications/delivery-store.ts';
import { tellingStore } from '../../src/mongo/notifications/inbox-lock-store.ts';
import { contactStore } from '../../src/mongo/people/contact-store.ts';
import { preferenceStore } from '../../src/mongo/people/preference-store.ts';
import type { Delivery } from '../../src/notifications/delivery.ts';
import { PUT_WITHIN_MS, type Told } from '../../src/notifications/fan-out/inbox-lock.ts';
import type { NewInboxEntry } from '../../src/notifications/ports.ts';
import { contactOf, draft, eventually, SCHOOL, startWorld, type World } from '../support/world.ts';

const E = '/api/v1/operations/events';
/** Enough people that the fan-out writes into inboxes directly. */
const PEOPLE = 120;
const SILENT = contactOf(7).user_id;

let world: World;
beforeAll(async () => {
  world = await startWorld({ start: ['api', 'relay', 'fan-out'] });
  await contactStore(world.database).putMany(
    Array.from({ length: PEOPLE }, (_, n) => contactOf(n, n === 11 ? { name: 'Ada' } : {})),
  );
  await preferenceStore(world.database).addOptOut(SCHOOL, SILENT, 'event.published:in_app');
}, 180_000);
afterAll(() => world?.end());

const inboxOf = (event_id: string, trigger: string) =>
  world.database
    .collection('inbox')
    .find({ event_id, trigger } as never)
    .toArray();

async function published(more: Record<string, unknown> = {}): Promise<string> {
  const { body } = await world.call('POST', E, draft(more));
  expect((await world.call('POST', `${E}/${body.id}/publish`)).status).toBe(200);
  await eventually('the rows', async () => (await inAppRows(String(body.id), 'event.published')).length === PEOPLE);
  return String(body.id);
}

const inAppRows = (event_id: string, trigger: string) => world.deliveries({ event_id, trigger, channel: 'in_app' });

const inboxLock = () => tellingStore(world.database);
const of = (by: string, event_id = 'event', fact_id = 'fact') => ({ fact_id, event_id, by });
const count = (collection: 'deliveries' | 'inbox' | 'signals' | 'tellings', filter: object = {}) =>
  world.database.collection(collection).countDocuments(filter as never);

test('the fan-out writes an announcement and its rows into all inboxes without an in-app worker', async () => {
  const signals = await count('signals');
  const id = await published();
  const rows = await inAppRows(id, 'event.published');
  const entries = await inboxOf(id, 'event.published');
  expect(entries).toHaveLength(PEOPLE - 1);
  const [silent, ...others] = rows.sort((a) => (a.user_id === SILENT ? -1 : 1));
  expect(silent).toMatchObject({ user_id: SILENT, status: 'skipped', reason: 'opted_out' });
  const entryIds = new Set(entries.map((entry) => String(entry._id)));
  for (const row of others) {
    expect(row).toMatchObject({ status: 'sent', attempts: 1, template_version: expect.any(String) });
    expect(row.settled_at).toBeInstanceOf(Date);
    expect(row).not.toHaveProperty('queued_at');
    expect(entryIds).toContain(row._id);
  }
  expect(await count('signals')).toBeGreaterThan(signals);
  await eventually('no inbox write is in flight', async () => (await count('tellings')) === 0);
}, 180_000);

test('an event that is unpublished and published unchanged notifies nobody a second time', async () => {
  const id = await published();
  await eventually('no inbox write is in flight', async () => (await count('tellings')) === 0);
  expect((await world.call('POST', `${E}/${id}/unpublish`)).status).toBe(200);
  expect((await world.call('POST', `${E}/${id}/publish`)).status).toBe(200);
  await eventually('rows of both', async () => (await inAppRows(id, 'event.published')).length === 2 * PEOPLE);
  const again = (await inAppRows(id, 'event.published')).filter(({ reason }) => reason === 'told_before');
  expect(again).toHaveLength(PEOPLE - 1);
  expect(await inboxOf(id, 'event.published')).toHaveLength(PEOPLE - 1);
}, 180_000);

test('an event published again with another date notifies everyone', async () => {
  const id = await published();
  await eventually('no inbox write is in flight', async () => (await count('tellings')) === 0);
  const moved = { new_start_date: '2027-12-12', reason: 'Storm', notify: false };
  expect((await world.call('POST', `${E}/${id}/postpone`, moved)).status).toBe(200);
  expect((await world.call('POST', `${E}/${id}/publish`)).status).toBe(200);
  await eventually('rows of both', async () => (await inAppRows(id, 'event.published')).length === 2 * PEOPLE);
  expect(await inboxOf(id, 'event.published')).toHaveLength(2 * (PEOPLE - 1));
}, 180_000);

test('a cancellation takes the lock away, so that an earlier announcement writes nothing more', async () => {
  const id = await published();
  const begun = of('me', id, 'another');
  expect(await inboxLock().begin(begun)).toBe(true);
  expect((await world.call('POST', `${E}/${id}/cancel`, { reason: 'Storm' })).status).toBe(200);
  await eventually('the cancellation', async () => (await inAppRows(id, 'event.cancelled')).length === PEOPLE - 1);
  const [entry, row] = [entryOf('too-late', id), rowOf('too-late', id)];
  expect(await inboxLock().put(begun, 0, [row], [entry])).toBe(false);
  expect(await count('inbox', { _id: 'too-late' })).toBe(0);
  expect(await count('deliveries', { _id: 'too-late' })).toBe(0);
  await world.start('in-app');
  await eventually(
    'the cancellation is in all inboxes',
    async () => (await inboxOf(id, 'event.cancelled')).length === PEOPLE - 1,
  );
}, 180_000);

test('an announcement written just before a cancellation counts as still being announced', async () => {
  const store = deliveryStore(world.database);
  expect(await inboxLock().begin(of('me', 'moment'))).toBe(true);
  expect(await inboxLock().put(of('me', 'moment'), 0, [rowOf('going-out', 'moment')], [])).toBe(true);
  await inboxLock().end(of('me', 'moment'));
  const settledAt = (await store.find('going-out'))?.settled_at?.getTime() ?? 0;
  expect(await store.isBeingAnnounced(SCHOOL, 'moment', new Date(settledAt + PUT_WITHIN_MS))).toBe(true);
  expect(await store.isBeingAnnounced(SCHOOL, 'moment', new Date(settledAt + 2 * PUT_WITHIN_MS))).toBe(false);
});

test('one process at a time holds the lock of a fact, and a dead holder loses it', async () => {
  const { begin, put, end, forget } = inboxLock();
  expect(await begin(of('first'))).toBe(true);
  expect(await begin(of('second'))).toBe(false);
  expect(await put(of('first'), 1, [rowOf('one')], [entryOf('one')])).toBe(false);
  await end(of('second'));
  expect(await begin(of('third'))).toBe(false);
  await forget('fact');
  expect(await begin(of('fourth'))).toBe(true);
  expect(await put(of('fourth'), 0, [rowOf('one')], [entryOf('one')])).toBe(true);
  expect(await put(of('fourth'), 0, [rowOf('one'), rowOf('two')], [entryOf('one'), entryOf('two')])).toBe(false);
  expect(await count('inbox', { _id: { $in: ['one', 'two'] } })).toBe(1);
  expect(await count('deliveries', { _id: { $in: ['one', 'two'] } })).toBe(1);
  await end(of('fourth'));
});

test('two writes under one lock run in parallel, and a cancellation waits for both', async () => {
  const { begin, put, stop, end } = inboxLock();
  const lock = of('me', 'wind', 'double');
  expect(await begin(lock)).toBe(true);
  const { collection, transact } = world.database;
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  let isWritten = () => {};
  const written = new Promise<void>((resolve) => {
    isWritten = resolve;
  });
  const first = transact(async (tx) => {
    await collection('tellings').updateOne({ _id: 'double' } as never, { $set: { n: 1 } }, { session: tx as never });
    isWritten();
    await held;
  });
  await written;
  expect(await put(lock, 1, [rowOf('beside', 'wind')], [entryOf('beside', 'wind')])).toBe(true);
  let stopped = false;
  const stopping = stop('wind', 'cancelled').then(() => {
    stopped = true;
  });
  await delay(200);
  expect(stopped).toBe(false);
  go();
  await Promise.all([first, stopping]);
  for (const place of [0, 1])
    expect(await put(lock, place, [rowOf('late', 'wind')], [entryOf('late', 'wind')])).toBe(false);
  expect(await count('inbox', { event_id: 'wind' })).toBe(1);
  await end(lock);
}, 60_000);

test('a process that dies in the middle of a write has written nothing and blocks others only briefly', async () => {
  const { begin, stop } = inboxLock();
  expect(await begin(of('dead', 'storm', 'died'))).toBe(true);
  let isWritten = () => {};
  let end = () => {};
  const written = new Promise<void>((resolve) => {
    isWritten = resolve;
  });
  const died = new Promise<void>((_, reject) => {
    end = () => reject(new Error('dead'));
  });
  const { collection, transact } = world.database;
  const inside = transact(async (tx) => {
    const session = { session: tx as never };
    await collection('tellings').updateOne({ _id: 'died', by: 'dead' } as never, { $set: { n: 1 } }, session);
    await collection('inbox').insertOne({ _id: 'half', event_id: 'storm' } as never, session);
    isWritten();
    await died;
  }).catch(() => 'ended');
  await written;
  await stop('storm', 'cancelled');
  expect(await count('tellings', { _id: 'died' })).toBe(0);
  end();
  expect(await inside).toBe('ended');
  expect(await count('inbox', { _id: 'half' })).toBe(0);
}, 60_000);

const entryOf = (id: string, event_id = 'event'): NewInboxEntry => ({
  ...SCHOOL,
  id,
  user_id: 'person',
  event_id,
  trigger: 'event.published',
  title: 'Tea',
  body: 'At five.',
  url: 'http://localhost/events/1',
  created_at: new Date(),
  read_at: null,
});

const rowOf = (id: string, event_id = 'event'): Told => ({
  row: {
    ...SCHOOL,
    id,
    event_id,
    fact_id: 'fact',
    trigger: 'event.published',
    channel: 'in_app',
    user_id: 'person',
    status: 'waiting',
    on_behalf_of: [],
    also: [],
    registration_ids: [],
    due_at: new Date(),
    created_at: new Date(),
  } as unknown as Delivery,
  ended: { status: 'sent', attempts: 1 },
});
