import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliveryStore } from '../../src/mongo/notifications/delivery-store.ts';
import { inboxLockStore } from '../../src/mongo/notifications/inbox-lock-store.ts';
import { contactStore } from '../../src/mongo/people/contact-store.ts';
import { preferenceStore } from '../../src/mongo/people/preference-store.ts';
import type { Delivery } from '../../src/notifications/delivery.ts';
import { type EndedDelivery, WRITE_WITHIN_MS } from '../../src/notifications/fan-out/inbox-lock.ts';
import type { NewInboxEntry } from '../../src/notifications/ports.ts';
import { contactOf, draft, eventually, SCHOOL, startWorld, type World } from '../support/world.ts';

const E = '/api/v1/operations/events';
/** Enough for direct writes. */
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

const locks = () => inboxLockStore(world.database);
const of = (by: string, event_id = 'event', fact_id = 'fact') => ({ fact_id, event_id, by });
const count = (collection: 'deliveries' | 'inbox' | 'signals' | 'tellings', filter: object = {}) =>
  world.database.collection(collection).countDocuments(filter as never);

test('an announcement reaches all inboxes, with a row each, while no in-app worker runs', async () => {
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
  await eventually('all locks are released', async () => (await count('tellings')) === 0);
}, 180_000);

test('publishing an event again with the same date and place notifies nobody twice', async () => {
  const id = await published();
  await eventually('all locks are released', async () => (await count('tellings')) === 0);
  expect((await world.call('POST', `${E}/${id}/unpublish`)).status).toBe(200);
  expect((await world.call('POST', `${E}/${id}/publish`)).status).toBe(200);
  await eventually('rows of both', async () => (await inAppRows(id, 'event.published')).length === 2 * PEOPLE);
  const again = (await inAppRows(id, 'event.published')).filter(({ reason }) => reason === 'told_before');
  expect(again).toHaveLength(PEOPLE - 1);
  expect(await inboxOf(id, 'event.published')).toHaveLength(PEOPLE - 1);
}, 180_000);

test('publishing an event again with another date notifies everyone', async () => {
  const id = await published();
  await eventually('all locks are released', async () => (await count('tellings')) === 0);
  const moved = { new_start_date: '2027-12-12', reason: 'Storm', notify: false };
  expect((await world.call('POST', `${E}/${id}/postpone`, moved)).status).toBe(200);
  expect((await world.call('POST', `${E}/${id}/publish`)).status).toBe(200);
  await eventually('rows of both', async () => (await inAppRows(id, 'event.published')).length === 2 * PEOPLE);
  expect(await inboxOf(id, 'event.published')).toHaveLength(2 * (PEOPLE - 1));
}, 180_000);

test('a cancellation revokes the lock of an announcement, whose write then stores nothing', async () => {
  const id = await published();
  const begun = of('me', id, 'another');
  expect(await locks().acquire(begun)).toBe(true);
  expect((await world.call('POST', `${E}/${id}/cancel`, { reason: 'Storm' })).status).toBe(200);
  await eventually('the cancellation', async () => (await inAppRows(id, 'event.cancelled')).length === PEOPLE - 1);
  const [entry, row] = [entryOf('too-late', id), rowOf('too-late', id)];
  expect(await locks().write(begun, [row], [entry])).toBe(false);
  expect(await count('inbox', { _id: 'too-late' })).toBe(0);
  expect(await count('deliveries', { _id: 'too-late' })).toBe(0);
  await world.start('in-app');
  await eventually(
    'the cancellation in all inboxes',
    async () => (await inboxOf(id, 'event.cancelled')).length === PEOPLE - 1,
  );
}, 180_000);

test('an announcement counts as in flight until its direct write must have committed', async () => {
  const store = deliveryStore(world.database);
  expect(await locks().acquire(of('me', 'moment'))).toBe(true);
  expect(await locks().write(of('me', 'moment'), [rowOf('going-out', 'moment')], [])).toBe(true);
  await locks().release(of('me', 'moment'));
  const settledAt = (await store.find('going-out'))?.settled_at?.getTime() ?? 0;
  expect(await store.isBeingAnnounced(SCHOOL, 'moment', new Date(settledAt + WRITE_WITHIN_MS))).toBe(true);
  expect(await store.isBeingAnnounced(SCHOOL, 'moment', new Date(settledAt + 2 * WRITE_WITHIN_MS))).toBe(false);
});

test('only one process writes a fact directly, and none after the holder of its lock died', async () => {
  const { acquire, write, release, forget } = locks();
  expect(await acquire(of('first'))).toBe(true);
  expect(await acquire(of('second'))).toBe(false);
  expect(await write(of('first'), [rowOf('one')], [entryOf('one')])).toBe(false);
  await release(of('second'));
  expect(await acquire(of('third'))).toBe(false);
  await forget('fact');
  expect(await acquire(of('fourth'))).toBe(true);
  expect(await write(of('fourth'), [rowOf('one')], [entryOf('one')])).toBe(true);
  expect(await write(of('fourth'), [rowOf('one'), rowOf('two')], [entryOf('one'), entryOf('two')])).toBe(false);
  expect(await count('inbox', { _id: { $in: ['one', 'two'] } })).toBe(1);
  expect(await count('deliveries', { _id: { $in: ['one', 'two'] } })).toBe(1);
  await release(of('fourth'));
});

test('revoking a lock waits for its write in flight, and later writes fail', async () => {
  const { acquire, write, revoke, release } = locks();
  const lock = of('me', 'wind', 'in-flight');
  expect(await acquire(lock)).toBe(true);
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
    await collection('tellings').updateOne({ _id: 'in-flight' } as never, { $set: { n: 1 } }, { session: tx as never });
    isWritten();
    await held;
  });
  await written;
  let stopped = false;
  const stopping = revoke('wind', 'cancelled').then(() => {
    stopped = true;
  });
  await delay(200);
  expect(stopped).toBe(false);
  go();
  await Promise.all([first, stopping]);
  expect(await write(lock, [rowOf('late', 'wind')], [entryOf('late', 'wind')])).toBe(false);
  expect(await count('inbox', { event_id: 'wind' })).toBe(0);
  await release(lock);
}, 60_000);

test('revoking the lock of a process that died during its write aborts that write', async () => {
  const { acquire, revoke } = locks();
  expect(await acquire(of('dead', 'storm', 'died'))).toBe(true);
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
  await revoke('storm', 'cancelled');
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

const rowOf = (id: string, event_id = 'event'): EndedDelivery => ({
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
