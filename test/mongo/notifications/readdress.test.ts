import { beforeEach, expect, test } from 'vitest';
import { storesOn } from '../../../src/app/stores.ts';
import { type DeliverDeps, deliver } from '../../../src/notifications/delivery/deliver.ts';
import { readdress } from '../../../src/notifications/delivery/readers.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { aContact, aSchool, NOW, SCOPE } from '../../support/builders.ts';
import { emptyDatabase } from '../../support/database.ts';
import { aDelivery } from '../../support/message-builders.ts';

const database = await emptyDatabase();
const deps = storesOn(database);
beforeEach(async () => {
  for (const name of ['contacts', 'deliveries'] as const) await database.collection(name).deleteMany({});
});

const OLD = 'eva@old.example';
const NEW = 'eva@new.example';
const deferred = (more: Partial<Delivery> = {}) =>
  aDelivery({ user_id: 'eva', address: OLD, held_until: NOW, digest_key: 'old', queued_at: NOW, ...more });

async function afterReaddress(row: Delivery) {
  await deps.deliveries.insertMany([row]);
  const moved = await readdress(deps, SCOPE, [row]);
  return { moved: moved.has(row.id), stored: await deps.deliveries.find(row.id) };
}

test('a deferred message waits again for today’s address of its reader, and no worker sends it to the old one', async () => {
  await deps.contacts.putMany([aContact('eva', { email: NEW, phone: '+420601000009' })]);
  const { moved, stored } = await afterReaddress(deferred());
  expect([moved, stored]).toMatchObject([true, { status: 'waiting', address: NEW, queued_at: null, fence: 1 }]);
  expect(stored?.digest_key).not.toBe('old');
  expect(await deps.deliveries.lease([deferred()], 'claim', 1_000)).toEqual([]);
  const sms = await afterReaddress(deferred({ id: 'sms', channel: 'sms', address: '+420601000001' }));
  expect(sms.stored).toMatchObject({ address: '+420601000009' });
});

test('the delivery path looks up the address before it sends a deferred message', async () => {
  await deps.contacts.putMany([aContact('eva', { email: NEW })]);
  await deps.deliveries.insertMany([deferred()]);
  const path = {
    ...deps,
    adapter: { channel: 'email' },
    clock: database.clock,
    facts: { findMany: async () => [] },
    schools: { find: async () => aSchool() },
    runExclusively: async () => true,
    isStopping: () => false,
  } as unknown as DeliverDeps;
  expect(await deliver(path, { ids: ['delivery-1'], urgent: false })).toEqual([]);
  expect(await deps.deliveries.find('delivery-1')).toMatchObject({ status: 'waiting', address: NEW });
});

test('a deferred message is not sent to an address that was taken out of the directory', async () => {
  await deps.contacts.putMany([aContact('eva', { email: null })]);
  const { moved, stored } = await afterReaddress(deferred());
  expect([moved, stored]).toMatchObject([true, { status: 'skipped', reason: 'no_contact' }]);
});

test('a message that staff send again, or at a time they chose, goes to today’s address', async () => {
  await deps.contacts.putMany([aContact('eva', { email: NEW })]);
  const { moved, stored } = await afterReaddress(deferred({ held_until: null, digest_key: null, redriven_at: NOW }));
  // Without a key: it never becomes a part of a digest.
  expect([moved, stored]).toMatchObject([true, { status: 'waiting', address: NEW, digest_key: null }]);
});

test.each<[string, Partial<Delivery>]>([
  ['has not waited', { held_until: null }],
  ['goes to an address given with a registration', { given_by: 'eva' }],
  ['is part of a digest that was tried before', { digest_id: 'digest-1' }],
  ['goes to a reader who is not in the directory', { user_id: 'unknown' }],
  ['has another reader at the address', { also: [{ user_id: 'adam', name: 'Adam', on_behalf_of: [] }] }],
  ['goes to the same address in another spelling', { address: NEW.toUpperCase() }],
])('a message keeps its address if it %s', async (_why, more) => {
  await deps.contacts.putMany([aContact('eva', { email: NEW })]);
  await deps.contacts.putMany([aContact('adam', { email: OLD })]);
  const row = deferred(more);
  const { moved, stored } = await afterReaddress(row);
  expect([moved, stored?.address]).toEqual([false, row.address]);
});
