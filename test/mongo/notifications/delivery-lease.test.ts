import { expect, test } from 'vitest';
import { deliveryLeases } from '../../../src/mongo/notifications/delivery-lease.ts';
import { deliveryStore } from '../../../src/mongo/notifications/delivery-store.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { resultOf, resultOfUnknown } from '../../../src/notifications/policy/retry.ts';
import type { DeliveryStore } from '../../../src/notifications/ports.ts';
import { provideDatabase } from '../../support/database.ts';
import { aDelivery } from '../../support/message-builders.ts';

const channel = aDelivery().channel;
const LEASE_MS = 60_000;
const database = await provideDatabase();

const sent = (id: string) => ({ to: 'sent', id, provider_id: null, detail: null, attempts: 1 }) as const;
const inDoubt = { to: 'unknown', afterMs: 60_000, detail: 'x', attempts: 1, errors: 0, repeated: false } as const;

/** Lets a message of unknown outcome be sent again, if it is as it was read. */
const repeatUnknown = async (store: DeliveryStore, row: Delivery | null) =>
  row && store.recordReconciled([{ row, result: { ...inDoubt, to: 'waiting', id: row.id, afterMs: 0 } }]);

const leased = (...ids: string[]) => ids.map((id) => ({ id, fence: 1 }));

async function waiting(...ids: string[]) {
  const store = deliveryStore(database);
  await store.insertMany(ids.map((id) => aDelivery({ id, due_at: new Date(0) })));
  return { store, rows: await store.findDue(ids, channel) };
}

test('leases a row that two workers have read to one of them', async () => {
  const { store, rows } = await waiting('a1', 'a2', 'a3');
  expect(await store.lease(rows.slice(0, 2), 'one', LEASE_MS)).toEqual(['a1', 'a2']);
  expect(await store.lease(rows, 'two', LEASE_MS)).toEqual(['a3']);
  expect(await store.find('a1')).toMatchObject({ status: 'claimed', claim: 'one', fence: 1, crashes: 1 });
  expect((await store.find('a1'))?.lease_until?.getTime()).toBeGreaterThan(Date.now() + LEASE_MS / 2);
});

test('marks as sending and records only what the claim holds, also among the rows of others', async () => {
  const { store, rows } = await waiting('b1', 'b2', 'b3');
  const [one, two] = [rows.slice(0, 2), rows.slice(2)];
  await Promise.all([store.lease(one, 'one', LEASE_MS), store.lease(two, 'two', LEASE_MS)]);
  expect(await store.markSending(leased('b3'), 'one', LEASE_MS)).toEqual([]);
  expect(await store.find('b3')).toMatchObject({ status: 'claimed', claim: 'two' });
  const marked = [
    store.markSending(leased('b1', 'b3'), 'one', LEASE_MS),
    store.markSending(leased('b3'), 'two', LEASE_MS),
  ];
  expect(await Promise.all(marked)).toEqual([['b1'], ['b3']]);
  await Promise.all([store.record([sent('b1'), sent('b3')], 'one'), store.record([], 'two')]);
  expect(await store.find('b1')).toMatchObject({
    status: 'sent',
    attempts: 1,
    crashes: 0,
    claim: null,
    lease_until: null,
  });
  expect(await store.find('b2')).toMatchObject({ status: 'claimed', claim: 'one' });
  expect(await store.find('b3')).toMatchObject({ status: 'sending', claim: 'two' });
});

test('writes results before the marks of the same command, so that a connection never has two rows that are sending', async () => {
  const commands: object[][] = [];
  const bulkWrite = async (statements: object[]) => {
    commands.push(statements);
    return { modifiedCount: statements.length };
  };
  const store = deliveryLeases({ bulkWrite } as unknown as Parameters<typeof deliveryLeases>[0]);
  await Promise.all([store.markSending(leased('next'), 'one', LEASE_MS), store.record([sent('last')], 'one')]);
  const written = commands.map((statements) => statements.map((one) => /"(next|last)"/.exec(JSON.stringify(one))?.[1]));
  expect(written).toEqual([['last', 'next']]);
});

test('does not mark as sending what is sending already, or whose lease ran out', async () => {
  const { store, rows } = await waiting('g1', 'g2');
  await store.lease(rows, 'one', LEASE_MS);
  expect(await store.markSending(leased('g1'), 'one', 2 * LEASE_MS)).toEqual(['g1']);
  const { lease_until } = (await store.find('g1')) ?? {};
  expect(lease_until?.getTime()).toBeGreaterThan(Date.now() + 1.5 * LEASE_MS);
  await store.markSending(leased('g1'), 'one', 3 * LEASE_MS);
  expect((await store.find('g1'))?.lease_until).toEqual(lease_until);
  await database
    .collection('deliveries')
    .updateOne({ _id: 'g2' } as never, { $set: { lease_until: new Date(Date.now() - 1) } });
  expect(await store.markSending(leased('g2'), 'one', LEASE_MS)).toEqual([]);
});

test('does not mark as sending for an earlier lease what another claim holds, in one command with marks of that claim', async () => {
  const { store, rows } = await waiting('i1', 'i2');
  await store.lease(rows.slice(0, 1), 'one', LEASE_MS);
  await store.record([{ ...inDoubt, to: 'waiting', id: 'i1', afterMs: 0 }], 'one');
  await store.lease(await store.findDue(['i1', 'i2'], channel), 'two', LEASE_MS);
  const marked = [store.markSending(leased('i1'), 'one', LEASE_MS), store.markSending(leased('i2'), 'two', LEASE_MS)];
  expect(await Promise.all(marked)).toEqual([[], ['i2']]);
  expect(await store.find('i1')).toMatchObject({ status: 'claimed', claim: 'two', fence: 2 });
});

test('records a result that comes after the lease ran out, unless another worker has leased the row anew', async () => {
  const { store, rows } = await waiting('h1', 'h2');
  await store.lease(rows, 'one', LEASE_MS);
  await store.markSending(leased('h1', 'h2'), 'one', LEASE_MS);
  const expired = (await Promise.all(['h1', 'h2'].map((id) => store.find(id)))).flatMap((row) => row ?? []);
  await store.recordReconciled(expired.map((row) => ({ row, result: { ...inDoubt, id: row.id } })));
  await repeatUnknown(store, await store.find('h2'));
  await store.lease(await store.findDue(['h2'], channel), 'two', LEASE_MS);
  await store.record([sent('h1'), sent('h2')], 'one');
  expect(await store.find('h1')).toMatchObject({ status: 'sent', claim: null, crashes: 0 });
  expect(await store.find('h2')).toMatchObject({ status: 'claimed', claim: 'two', fence: 2 });
});

test.each([null, 1])('does not lease a row that got another reader after it was read (fence: %s)', async (fence) => {
  const { store } = await waiting('c1');
  await database.collection('deliveries').updateOne({ _id: 'c1' }, [{ $set: { fence: fence ?? '$$REMOVE' } }]);
  const rows = await store.findDue(['c1'], channel);
  const ada = { user_id: 'ada', name: 'Ada', on_behalf_of: [] };
  await store.mergeReaders(rows.map((row) => ({ ...row, also: [ada] })));
  expect(await store.lease(rows, 'one', LEASE_MS)).toEqual([]);
  const again = await store.findDue(['c1'], channel);
  expect(again).toMatchObject([{ status: 'waiting', also: [ada] }]);
  expect(await store.lease(again, 'one', LEASE_MS)).toEqual(['c1']);
});

test('does not lease a row that was stopped after it was read', async () => {
  const { store, rows } = await waiting('n1');
  await database.collection('deliveries').updateOne({ _id: 'n1' } as never, { $set: { status: 'skipped' } });
  expect(await store.lease(rows, 'one', LEASE_MS)).toEqual([]);
  expect(await store.find('n1')).toMatchObject({ status: 'skipped', claim: null });
});

test('keeps the result of a message that was settled before its worker answered', async () => {
  const { store, rows } = await waiting('o1');
  await store.lease(rows, 'one', LEASE_MS);
  await database.collection('deliveries').updateOne({ _id: 'o1' } as never, { $set: { status: 'quarantined' } });
  await store.record([sent('o1')], 'one');
  expect(await store.find('o1')).toMatchObject({ status: 'quarantined' });
});

test('does not read rows that are leased, not due or of another channel', async () => {
  const { store, rows } = await waiting('d1', 'd2');
  await store.lease(rows.slice(0, 1), 'one', LEASE_MS);
  await store.insertMany([aDelivery({ id: 'd3', due_at: new Date(Date.now() + 3_600_000) })]);
  expect((await store.findDue(['d1', 'd2', 'd3', 'nobody'], channel)).map(({ id }) => id)).toEqual(['d2']);
  expect(await store.findDue(['d2'], channel === 'sms' ? 'push' : 'sms')).toEqual([]);
});

test('releases rows that wait, to be queued anew, and leaves leased ones', async () => {
  const { store, rows } = await waiting('e1', 'e2', 'e3');
  await store.lease(rows.slice(0, 1), 'one', LEASE_MS);
  const queued = { $set: { queued_at: new Date() } };
  await database.collection('deliveries').updateMany({ _id: { $in: ['e1', 'e2', 'e3'] } } as never, queued);
  await store.release(['e1', 'e2']);
  await store.release(['e3'], 3_600_000);
  expect(await store.find('e1')).toMatchObject({ status: 'claimed', claim: 'one', queued_at: expect.any(Date) });
  expect((await store.find('e2'))?.queued_at).toBeNull();
  expect((await store.findDue(['e1', 'e2', 'e3'], channel)).map(({ id }) => id)).toEqual(['e2']);
  expect((await store.find('e3'))?.due_at.getTime()).toBeGreaterThan(Date.now() + 1_800_000);
});

test('counts a message once that the provider has after an unknown outcome, and one that it refuses', async () => {
  const { store, rows } = await waiting('k1', 'k2', 'k3');
  await store.lease(rows, 'one', LEASE_MS);
  const known = { now: new Date(), random: 0.5, leaseMs: LEASE_MS };
  const outcomes = ['ambiguous', 'ambiguous', 'bad_address'] as const;
  const results = rows.map((row, n) => resultOf(row, { kind: outcomes[n] ?? 'gone', detail: 'x' }, known));
  await store.record(results, 'one');
  const lookups = [{ provider_id: 'SM1' }, 'silent'] as const;
  const unknown = await Promise.all(['k1', 'k2'].map((id) => store.find(id)));
  expect(unknown.map((row) => row && row.due_at > known.now)).toEqual([true, true]);
  const found = unknown.map((row, n) => {
    const result = row && resultOfUnknown({ ...row, repeated: true }, lookups[n] ?? 'none', new Date());
    return result && { row, result };
  });
  await store.recordReconciled(found.flatMap((one) => one ?? []));
  const settled = await Promise.all(['k1', 'k2', 'k3'].map((id) => store.find(id)));
  expect(settled).toMatchObject([
    { status: 'sent', attempts: 1 },
    { status: 'sent_unconfirmed', attempts: 1 },
    { status: 'failed', attempts: 1, reason: 'bad_address', detail: 'x', settled_at: expect.any(Date) },
  ]);
});

test('repeats no message for an answer about its first try that comes after the second', async () => {
  const { store } = await waiting('m1');
  let first: Delivery | null = null;
  for (const claim of ['one', 'two']) {
    await store.lease(await store.findDue(['m1'], channel), claim, LEASE_MS);
    await store.record([{ ...inDoubt, id: 'm1' }], claim);
    first ??= await store.find('m1');
    await repeatUnknown(store, first);
  }
  expect(await store.find('m1')).toMatchObject({ status: 'unknown', fence: 2 });
});

test('a message that is delayed into quiet hours waits for their end', async () => {
  const { store, rows } = await waiting('l1');
  await store.lease(rows, 'one', LEASE_MS);
  const until = new Date('2030-01-01T07:00:00Z');
  const deferral = { due_at: until, held_until: until, held_for: 'quiet_hours', digest_key: 'eva' } as const;
  const counted = { errors: 2, repeated: true };
  await store.record([{ ...inDoubt, ...counted, to: 'waiting', id: 'l1', deferral }], 'one');
  const waits = { status: 'waiting', ...deferral, ...counted, detail: 'x', claim: null, queued_at: null };
  expect(await store.find('l1')).toMatchObject(waits);
});

test('records the provider’s id of each message, and nothing of an earlier attempt', async () => {
  const { store, rows } = await waiting('j1', 'j2', 'j3');
  await store.lease(rows, 'one', LEASE_MS);
  await store.record([{ ...inDoubt, to: 'waiting', id: 'j3', afterMs: 0, detail: 'smtp 451' }], 'one');
  await store.lease(await store.findDue(['j3'], channel), 'one', LEASE_MS);
  const results = [
    { ...sent('j1'), provider_id: 'p1', provider: 'smtp-1' },
    { ...sent('j2'), provider_id: 'p2' },
    { ...sent('j3'), attempts: 2 },
  ];
  await store.record(results, 'one');
  const settled = { status: 'sent', detail: null, claim: null };
  expect(await store.find('j1')).toMatchObject({ ...settled, provider_id: 'p1', provider: 'smtp-1' });
  expect(await store.find('j2')).toMatchObject({ ...settled, provider_id: 'p2' });
  expect(await store.find('j3')).toMatchObject({ ...settled, provider_id: null, attempts: 2 });
});
