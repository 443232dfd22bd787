import { beforeAll, expect } from 'vitest';
import type { PushMisbehaviour } from '../../src/dev/stand-ins/push-stand-in.ts';
import { pushSubscriptionStore } from '../../src/mongo/people/people-stores.ts';
import { contactOf, provideWorld, publishEvent, putPeople, SCHOOL } from '../support/world.ts';
import { finishDeliveries } from './harness/checks.ts';
import { row } from './harness/row.ts';

// Answer of the service to one browser, how often it gives it, and the result: number of requests, whether the browser is still
// subscribed, and the state of the delivery.
type Case = [
  string,
  PushMisbehaviour | undefined,
  number,
  { reached: number; subscribed: boolean; to: string; reason: string | null },
];
const CASES: Case[] = [
  ['well', undefined, 0, { reached: 1, subscribed: true, to: 'sent', reason: null }],
  ['404', { status: 404 }, 99, { reached: 0, subscribed: false, to: 'failed', reason: 'gone' }],
  ['410', { status: 410 }, 99, { reached: 0, subscribed: false, to: 'failed', reason: 'gone' }],
  ['413 once', { status: 413 }, 1, { reached: 1, subscribed: true, to: 'sent', reason: null }],
  ['413', { status: 413 }, 99, { reached: 0, subscribed: true, to: 'failed', reason: 'refused' }],
  [
    '429',
    { status: 429, headers: { 'retry-after': '1' } },
    2,
    { reached: 1, subscribed: true, to: 'sent', reason: null },
  ],
  ['500', { status: 500 }, 2, { reached: 1, subscribed: true, to: 'sent', reason: null }],
  ['503', { status: 503 }, 2, { reached: 1, subscribed: true, to: 'sent', reason: null }],
  ['drop', 'drop', 2, { reached: 1, subscribed: true, to: 'sent', reason: null }],
  ['lost answer', 'accept-then-drop', 1, { reached: 2, subscribed: true, to: 'sent', reason: null }],
  [
    'redirect',
    { status: 307, headers: { location: 'http://127.0.0.1:1/' } },
    99,
    { reached: 0, subscribed: true, to: 'failed', reason: 'refused' },
  ],
];

const world = provideWorld();
beforeAll(async () => {
  const people = CASES.map(([name], n) => contactOf(n, { user_id: name, email: null }));
  await putPeople(world, people);
  const store = pushSubscriptionStore(world.database);
  for (const [name] of CASES) {
    const { endpoint, keys } = world.push.subscribe(name, world.vapidPublicKey);
    await store.put({ ...SCHOOL, id: name, user_id: name, endpoint, keys, created_at: new Date() });
  }
});

row('push-errors', 'each answer of a push service has the result of its outcome', async () => {
  const asked = new Map<string, number>();
  world.push.misbehave(({ device }) => {
    const nth = (asked.get(device) ?? 0) + 1;
    asked.set(device, nth);
    const [, what, times = 0] = CASES.find(([name]) => name === device) ?? [];
    return nth <= times ? what : undefined;
  });
  const id = await publishEvent(world);
  await finishDeliveries(world, id);
  const rows = new Map(
    (await world.deliveries({ event_id: id, channel: 'push' })).map((delivery) => [delivery.user_id, delivery]),
  );
  const kept = await pushSubscriptionStore(world.database).findMany(
    SCHOOL,
    CASES.map(([name]) => name),
  );
  const found = CASES.map(([name]) => [
    name,
    {
      reached: world.push.messages.filter(({ device }) => device === name).length,
      subscribed: kept.some(({ user_id }) => user_id === name),
      to: rows.get(name)?.status,
      reason: rows.get(name)?.reason ?? null,
    },
  ]);
  expect(found).toEqual(CASES.map(([name, , , wanted]) => [name, wanted]));
  // A repeat replaces the first.
  const twice = world.push.messages.filter(({ device }) => device === 'lost answer');
  expect(new Set(twice.map(({ topic }) => topic)).size).toBe(1);
});
