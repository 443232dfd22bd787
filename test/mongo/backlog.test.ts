import { expect, test } from 'vitest';
import { firstIdAt } from '../../src/core/ids.ts';
import { readBacklog } from '../../src/mongo/backlog.ts';
import { deliveryStore } from '../../src/mongo/notifications/delivery-store.ts';
import { suppressionStore } from '../../src/mongo/notifications/suppression-store.ts';
import { factStore } from '../../src/mongo/outbox/fact-store.ts';
import { SCOPE } from '../support/builders.ts';
import { provideDatabase } from '../support/database.ts';
import { aDelivery, aFact } from '../support/message-builders.ts';

const MINUTE = 60_000;
const database = await provideDatabase();

const ago = (minutes: number) => new Date(database.clock.now().getTime() - minutes * MINUTE);
const minutesSince = (at: Date | null, now: Date) => at && Math.round((now.getTime() - at.getTime()) / MINUTE);

test('an empty database has a zero for everything', async () => {
  const { deliveries, quarantined, suppressed, facts } = await readBacklog(database);
  expect([deliveries.length, quarantined.length, suppressed.length, facts.length]).toEqual([10, 5, 10, 2]);
  const counts = [...deliveries, ...quarantined, ...suppressed, ...facts].map(({ count }) => count);
  expect(new Set(counts)).toEqual(new Set([0]));
  expect([...deliveries, ...facts].every(({ oldest }) => oldest === null)).toBe(true);
});

test('counts what is due in all schools by channel and priority, with the age of the oldest', async () => {
  const one = { channel: 'email' as const, status: 'waiting' as const, urgent: false };
  await deliveryStore(database).insertMany([
    aDelivery({ ...one, id: 'a', due_at: ago(9) }),
    aDelivery({ ...one, id: 'b', due_at: ago(3), tenant_id: 't2', queued_at: ago(2) }),
    aDelivery({ ...one, id: 'later', due_at: ago(-60) }),
    aDelivery({ ...one, id: 'urgent', urgent: true, due_at: ago(1) }),
    aDelivery({ ...one, id: 'sent', status: 'sent', due_at: ago(90) }),
    aDelivery({ ...one, id: 'q', channel: 'push', status: 'quarantined' }),
  ]);
  const { at, deliveries, quarantined } = await readBacklog(database);
  const email = deliveries
    .filter(({ channel }) => channel === 'email')
    .map(({ priority, count, oldest }) => [priority, count, minutesSince(oldest, at)]);
  expect(email).toEqual([
    ['urgent', 1, 1],
    ['bulk', 2, 9],
  ]);
  expect(quarantined.filter(({ count }) => count > 0)).toEqual([{ channel: 'push', count: 1 }]);
});

test('a message that waits for its provider is late since it was first due, one that its server put off only when it is due', async () => {
  const { insertMany } = deliveryStore(database);
  const one = { channel: 'whatsapp' as const, status: 'waiting' as const, due_at: ago(-0.2), fence: 4 };
  await insertMany([
    aDelivery({ ...one, id: 'urgent-1', urgent: true, created_at: ago(7) }),
    aDelivery({ ...one, id: 'put-off', urgent: true, created_at: ago(30), attempts: 1 }),
    aDelivery({ ...one, id: 'deferred', urgent: true, created_at: ago(40), held_until: ago(-0.2) }),
    aDelivery({ ...one, id: 'released', urgent: false, created_at: ago(50), held_until: ago(20), redriven_at: ago(5) }),
  ]);
  const { at, deliveries } = await readBacklog(database);
  const late = deliveries.filter(({ channel }) => channel === 'whatsapp');
  expect(late.map(({ priority, count, oldest }) => [priority, count, minutesSince(oldest, at)])).toEqual([
    ['urgent', 0, 7],
    ['bulk', 0, 5],
  ]);
});

test('counts facts of the outbox by state and from when they were recorded, and none that is processed', async () => {
  const store = factStore(database);
  const facts = [30, 20, 10].map((minutes) =>
    aFact('event.published', {}, { id: firstIdAt(ago(minutes)), occurred_at: ago(9_000) }),
  );
  await database.transact((tx) => store.record(facts, tx));
  const [first = '', second = ''] = facts.map(({ id }) => id);
  await store.markProcessed(first);
  await store.markPublished([second]);
  const { at, facts: found } = await readBacklog(database);
  expect(found.map(({ state, count, oldest }) => [state, count, minutesSince(oldest, at)])).toEqual([
    ['unpublished', 1, 10],
    ['published', 1, 20],
  ]);
});

test('counts suppressed addresses by kind, and none whose suppression has ended', async () => {
  const store = suppressionStore(database);
  await store.add(SCOPE, 'email', 'a@x.example', { kind: 'bounced', why: '5.1.1' });
  await store.add(SCOPE, 'email', 'b@x.example', { kind: 'complained', why: 'complaint' });
  await store.add(SCOPE, 'email', 'c@x.example', { kind: 'bounced', why: '5.1.1' });
  await store.recordStop('+420601000000', '+420602000000');
  const rows = database.collection('suppressions');
  await rows.updateOne({ address: 'c@x.example' }, { $set: { until: ago(1) } });
  const { suppressed } = await readBacklog(database);
  expect(suppressed.filter(({ count }) => count > 0)).toEqual([
    { channel: 'email', kind: 'bounced', count: 1 },
    { channel: 'email', kind: 'complained', count: 1 },
  ]);
});
