import { beforeEach, expect, test } from 'vitest';
import { deliveryStore } from '../../../src/mongo/notifications/delivery-store.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { withReadersOf } from '../../../src/notifications/policy/recipients.ts';
import { emptyDatabase } from '../../support/database.ts';
import { aDelivery } from '../../support/message-builders.ts';

const database = await emptyDatabase();
beforeEach(async () => void (await database.collection('deliveries').deleteMany({})));

const anna = { user_id: 'anna', name: 'Anna' };
const karl = { user_id: 'karl', name: 'Karl', on_behalf_of: [anna] };
const draft = aDelivery({ user_id: 'karl', name: 'Karl', on_behalf_of: [anna], registration_ids: ['of-anna'] });

async function after(row: Partial<Delivery>): Promise<Delivery> {
  const store = deliveryStore(database);
  const first = aDelivery({ registration_ids: ['of-eva'], ...row });
  const ofAnother = aDelivery({ id: 'of-another', address: 'ada@people.example' });
  await store.insertMany([ofAnother, first]);
  const { collided } = await store.insertMany([draft]);
  expect(collided).toMatchObject([first]);
  await store.mergeReaders(collided.map((known) => withReadersOf(known, draft)));
  // A repeat changes nothing.
  await store.mergeReaders(collided.map((known) => withReadersOf(known, draft)));
  expect(await store.find('of-another')).toMatchObject({ also: [], fence: 0 });
  return (await store.find(first.id)) as Delivery;
}

test('a waiting row adds the other people of its address and keeps its own person', async () => {
  const row = await after({ status: 'waiting' });
  expect(row).toMatchObject({ user_id: 'eva', status: 'waiting', also: [karl], on_behalf_of: [] });
  expect([...row.registration_ids].sort()).toEqual(['of-anna', 'of-eva']);
});

test('a row that waits until later is due with the earlier of both messages', async () => {
  expect(await after({ due_at: new Date(draft.due_at.getTime() + 3_600_000) })).toMatchObject({ due_at: draft.due_at });
  await database.collection('deliveries').deleteMany({});
  const earlier = new Date(draft.due_at.getTime() - 3_600_000);
  expect(await after({ due_at: earlier })).toMatchObject({ due_at: earlier });
});

test.each(['opted_out', 'registration_ended', 'left_school', 'not_guardian'] as const)(
  'a row skipped as %s waits again',
  async (reason) => {
    const row = await after({ status: 'skipped', reason, settled_at: new Date(0), queued_at: new Date(0) });
    expect(row).toMatchObject({ status: 'waiting', reason: null, settled_at: null, queued_at: null, also: [karl] });
  },
);

test.each([
  ['sent', null],
  ['sending', null],
  ['skipped', 'event_state'],
  ['failed', 'bad_address'],
] as const)('a row that is %s (%s) stays as it is', async (status, reason) => {
  expect(await after({ status, reason })).toMatchObject({ status, reason, also: [], registration_ids: ['of-eva'] });
});

test('a person’s own row names a child too', async () => {
  const store = deliveryStore(database);
  const own = aDelivery({ registration_ids: ['of-eva'] });
  await store.insertMany([own]);
  const child = aDelivery({ on_behalf_of: [anna], registration_ids: ['of-anna'] });
  await store.mergeReaders([withReadersOf(own, child)]);
  const row = await store.find(own.id);
  expect(row?.on_behalf_of.map(({ user_id }) => user_id).sort()).toEqual(['anna', 'eva']);
});
