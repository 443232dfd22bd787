import { beforeEach, expect, test } from 'vitest';
import { pushSubscriptionStore } from '../../../src/mongo/people/people-stores.ts';
import type { PushSubscription } from '../../../src/people/ports.ts';
import { BROWSERS_PER_PERSON } from '../../../src/people/push-endpoint.ts';
import { SCOPE } from '../../support/builders.ts';
import { emptyDatabase } from '../../support/database.ts';

const PUSH = 'https://fcm.googleapis.com/fcm/send';

const database = await emptyDatabase();
beforeEach(() => database.collection('push_subscriptions').deleteMany({}));

let made = 0;
const subscription = (endpoint: string, more: Partial<PushSubscription> = {}): PushSubscription => ({
  ...SCOPE,
  id: `subscription-${++made}`,
  user_id: 'ada',
  endpoint,
  keys: { p256dh: 'p', auth: 'a' },
  created_at: new Date(1_800_000_000_000 + made),
  ...more,
});
const endpointsOf = async (user_id: string): Promise<string[]> =>
  (await pushSubscriptionStore(database).findMany(SCOPE, [user_id])).map(({ endpoint }) => endpoint).sort();

test('keeps the twenty newest browsers of a person and all of other people', async () => {
  const store = pushSubscriptionStore(database);
  const others = [subscription(`${PUSH}/eva`, { user_id: 'eva' }), subscription(`${PUSH}/b`, { school_id: 's2' })];
  for (const other of others) await store.put(other);
  const endpoints = Array.from({ length: 33 }, (_, n) => `${PUSH}/${String(n).padStart(2, '0')}`);
  for (const endpoint of endpoints) await store.put(subscription(endpoint));
  expect(await endpointsOf('ada')).toEqual(endpoints.slice(-BROWSERS_PER_PERSON));
  // Registered again, the oldest is the newest.
  const [oldest = ''] = await endpointsOf('ada');
  await store.put(subscription(oldest));
  await store.put(subscription(`${PUSH}/new`));
  expect(await endpointsOf('ada')).toContain(oldest);
  expect(await database.collection('push_subscriptions').countDocuments({ user_id: { $ne: 'ada' } } as never)).toBe(1);
  expect(await database.collection('push_subscriptions').countDocuments({ school_id: 's2' } as never)).toBe(1);
});

test('keeps no more than twenty when a hundred browsers register concurrently', async () => {
  const store = pushSubscriptionStore(database);
  await Promise.all(Array.from({ length: 100 }, (_, n) => store.put(subscription(`${PUSH}/${n}`))));
  expect(await endpointsOf('ada')).toHaveLength(BROWSERS_PER_PERSON);
});

test('gives a browser to the person who registered it last', async () => {
  const store = pushSubscriptionStore(database);
  await store.put(subscription(`${PUSH}/shared`));
  await store.put(subscription(`${PUSH}/shared`, { user_id: 'eva' }));
  expect([await endpointsOf('ada'), await endpointsOf('eva')]).toEqual([[], [`${PUSH}/shared`]]);
});
