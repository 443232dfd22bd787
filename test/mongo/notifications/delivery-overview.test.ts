import { expect, test } from 'vitest';
import { deliveryStore } from '../../../src/mongo/notifications/delivery-store.ts';
import { SCOPE } from '../../support/builders.ts';
import { provideDatabase } from '../../support/database.ts';
import { aDelivery } from '../../support/message-builders.ts';

const MINUTE = 60_000;
const database = await provideDatabase();

test('a school sees its waiting messages with their age, and its latest messages in pages', async () => {
  const store = deliveryStore(database);
  const now = database.clock.now().getTime();
  const at = (minutes: number) => new Date(now + minutes * MINUTE);
  const one = { channel: 'email' as const, status: 'waiting' as const, urgent: false };
  await store.insertMany([
    aDelivery({ ...one, id: 'a', due_at: at(-9), created_at: at(-9) }),
    aDelivery({ ...one, id: 'b', urgent: true, due_at: at(-3), created_at: at(-3) }),
    aDelivery({ ...one, id: 'c', due_at: at(60), created_at: at(-2) }),
    aDelivery({ ...one, id: 'd', status: 'quarantined', created_at: at(-2) }),
    aDelivery({ ...one, id: 'e', status: 'unknown', created_at: at(-5) }),
    aDelivery({ ...one, id: 'x', school_id: 's2', due_at: at(-90), created_at: at(-1) }),
  ]);
  const [email, sms] = await store.countQueued(SCOPE);
  expect(email).toEqual({
    channel: 'email',
    due: 2,
    urgent: 1,
    later: 1,
    oldest_due_at: at(-9),
    sending: 0,
    unknown: 1,
    quarantined: 1,
    is_capped: false,
  });
  expect(sms).toMatchObject({ channel: 'sms', due: 0, oldest_due_at: null });

  await store.insertMany([aDelivery({ ...one, id: 'retried', due_at: at(1), created_at: at(-12), fence: 3 })]);
  expect((await store.countQueued(SCOPE))[0]).toMatchObject({ due: 2, later: 2, oldest_due_at: at(-12) });
  await database.collection('deliveries').deleteOne({ _id: 'retried' });

  const ids = async (query: Parameters<typeof store.list>[1]) => (await store.list(SCOPE, query)).map(({ id }) => id);
  expect(await ids({ limit: 3 })).toEqual(['d', 'c', 'b']);
  expect(await ids({ limit: 9, before: { at: at(-2), id: 'd' } })).toEqual(['c', 'b', 'e', 'a']);
  expect(await ids({ limit: 9, status: ['waiting'] })).toEqual(['c', 'b', 'a']);
  expect(await ids({ limit: 2, status: ['waiting', 'unknown', 'quarantined'] })).toEqual(['d', 'c']);
});

test('counts the messages that match a filter, and each of their recipients once', async () => {
  const store = deliveryStore(database);
  const school = { tenant_id: 't1', school_id: 'counted' };
  const one = { ...school, status: 'failed' as const };
  await store.insertMany([
    aDelivery({ ...one, id: 'm1', user_id: 'eva', channel: 'email' }),
    aDelivery({ ...one, id: 'm2', user_id: 'eva', channel: 'push' }),
    aDelivery({ ...one, id: 'm3', user_id: 'jan', channel: 'email' }),
    aDelivery({ ...one, id: 'm4', user_id: 'ola', channel: 'email', status: 'sent' }),
  ]);
  expect(await store.count(school, { status: ['failed'] })).toEqual({ messages: 3, people: 2, is_capped: false });
  expect(await store.count(school, { user_id: 'eva' })).toEqual({ messages: 2, people: 1, is_capped: false });
  expect(await store.count(school, { status: ['unknown'] })).toEqual({ messages: 0, people: 0, is_capped: false });
});
