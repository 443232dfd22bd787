import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Database, openDatabase } from '../../src/stores/database.ts';
import { deliveryStore } from '../../src/stores/delivery-store.ts';
import { aDelivery } from '../support/builders.ts';
import { freshDatabaseUri } from '../support/database.ts';

const channel = aDelivery().channel;
const LEASE_MS = 60_000;
let database: Database;
beforeAll(async () => {
  database = await openDatabase(freshDatabaseUri(inject('mongodbUri')));
  await database.setUp();
});
afterAll(() => database?.close());

const sent = (id: string) => ({ to: 'sent', id, provider_id: null, detail: null }) as const;

async function waiting(...ids: string[]) {
  const store = deliveryStore(database);
  await store.insertMany(ids.map((id) => aDelivery({ id, due_at: new Date(0) })));
  return { store, rows: await store.due(ids, channel) };
}

test('a row that is read is nobody’s: two may read it, one begins it', async () => {
  const { store, rows } = await waiting('a1', 'a2', 'a3');
  expect(await store.advance([], rows.slice(0, 2), 'one', LEASE_MS)).toEqual(['a1', 'a2']);
  expect(await store.advance([], rows, 'two', LEASE_MS)).toEqual(['a3']);
  expect(await store.find('a1')).toMatchObject({ status: 'sending', claim: 'one', fence: 1, crashes: 1 });
  expect(await store.find('a3')).toMatchObject({ status: 'sending', claim: 'two', fence: 1, crashes: 1 });
  expect((await store.find('a1'))?.lease_until?.getTime()).toBeGreaterThan(Date.now() + LEASE_MS / 2);
});

test('the end of some and the beginning of others are one write, and only of what the claim holds', async () => {
  const { store, rows } = await waiting('b1', 'b2', 'b3');
  const [b1, b2, b3] = rows;
  if (!b1 || !b2 || !b3) throw new Error('not all are due');
  await store.advance([], [b1], 'one', LEASE_MS);
  await store.advance([], [b3], 'two', LEASE_MS);
  expect(await store.advance([sent('b1'), sent('b3')], [b2], 'one', LEASE_MS)).toEqual(['b2']);
  expect(await store.find('b1')).toMatchObject({ status: 'sent', attempts: 1, crashes: 0, claim: null });
  expect(await store.find('b2')).toMatchObject({ status: 'sending', claim: 'one' });
  expect(await store.find('b3')).toMatchObject({ status: 'sending', claim: 'two' });
});

test('a row that got another reader after it was read is not begun as it was', async () => {
  const { store, rows } = await waiting('c1');
  const ada = { user_id: 'ada', name: 'Ada', on_behalf_of: [] };
  await store.join(rows.map((row) => ({ ...row, also: [ada] })));
  expect(await store.advance([], rows, 'one', LEASE_MS)).toEqual([]);
  const [again] = await store.due(['c1'], channel);
  expect(again).toMatchObject({ status: 'waiting', also: [ada] });
  expect(await store.advance([], again ? [again] : [], 'one', LEASE_MS)).toEqual(['c1']);
});

test('what is not due, of another channel or held already is not read', async () => {
  const { store, rows } = await waiting('d1', 'd2');
  await store.advance([], rows.slice(0, 1), 'one', LEASE_MS);
  await store.insertMany([aDelivery({ id: 'd3', due_at: new Date(Date.now() + 3_600_000) })]);
  expect((await store.due(['d1', 'd2', 'd3', 'd4'], channel)).map(({ id }) => id)).toEqual(['d2']);
  expect(await store.due(['d2'], channel === 'sms' ? 'push' : 'sms')).toEqual([]);
});

test('what was not begun is given back, and what somebody else holds stays', async () => {
  const { store, rows } = await waiting('e1', 'e2');
  await store.advance([], rows.slice(0, 1), 'one', LEASE_MS);
  const queued = { $set: { queued_at: new Date() } };
  await database.collection('deliveries').updateMany({ _id: { $in: ['e1', 'e2'] } } as never, queued);
  await store.release(['e1', 'e2'], 'two');
  expect(await store.find('e1')).toMatchObject({ status: 'sending', claim: 'one' });
  expect((await store.find('e2'))?.queued_at).toBeNull();
});

test('what is given back for a while is due after it, by the clock of the database', async () => {
  const { store } = await waiting('f1', 'f2');
  await store.claim(['f1', 'f2'], channel, 'one', LEASE_MS);
  await store.release(['f1'], 'one', 3_600_000);
  await store.release(['f1', 'f2'], 'one');
  expect((await store.due(['f1', 'f2'], channel)).map(({ id }) => id)).toEqual(['f2']);
  expect((await store.find('f1'))?.due_at.getTime()).toBeGreaterThan(Date.now() + 1_800_000);
});
