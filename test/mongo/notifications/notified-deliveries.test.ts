import { expect, test } from 'vitest';
import { deliveryStore } from '../../../src/mongo/notifications/delivery-store.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { SCOPE } from '../../support/builders.ts';
import { emptyDatabase } from '../../support/database.ts';
import { aDelivery } from '../../support/message-builders.ts';

const store = deliveryStore(await emptyDatabase());

const ANNOUNCED: Record<string, Partial<Delivery>> = {
  sent: { status: 'sent' },
  'in flight': { status: 'sending' },
  waiting: { status: 'waiting' },
  stopped: { status: 'skipped' },
  // A worker was killed while its server had the message.
  'to be sent again': { status: 'waiting', repeated: true },
  'sent again in vain': { status: 'failed', repeated: true },
  'quarantined after two crashes': { status: 'quarantined', repeated: true },
};

test('an announcement that is sent again may have reached its reader, so that its correction is sent too', async () => {
  const rows = Object.entries(ANNOUNCED).map(([user_id, more]) =>
    aDelivery({ id: user_id, user_id, fact_id: 'f1', event_id: 'e1', trigger: 'event.published', ...more }),
  );
  await store.insertMany(rows);
  const user_ids = Object.keys(ANNOUNCED);
  const reached = await store.findOtherAnnouncements(
    { ...SCOPE, event_ids: ['e1'], channel: 'email', user_ids },
    'f2',
    [],
  );
  const byPerson = Object.fromEntries(reached.map(({ user_id, settled }) => [user_id, settled]));
  expect(byPerson).toEqual({
    sent: true,
    'in flight': false,
    'to be sent again': false,
    'sent again in vain': true,
    'quarantined after two crashes': true,
  });
  const corrected = await store.listAnnouncements(SCOPE, ['e1'], null, 100);
  expect(corrected.map((row) => row.user_id).sort()).toEqual(Object.keys(byPerson).sort());
  const notified = await store.listNotifiedSince(SCOPE, 'e1', new Date(0), null, 100);
  expect(notified.map((row) => row.user_id).sort()).toEqual(Object.keys(byPerson).sort());
});

test('finds the people to whom a change was not sent, because it waits or was overtaken', async () => {
  const until = (hours: number) => new Date(hours * 3_600_000);
  const change = { event_id: 'e2', fact_id: 'f1', trigger: 'event.changed' } as const;
  const postponed = { trigger: 'event.postponed', fact_id: 'f2' } as const;
  const rows: Partial<Delivery>[] = [
    { user_id: 'held', held_until: until(7), status: 'skipped', reason: 'superseded' },
    { user_id: 'not held', status: 'skipped', reason: 'event_state' },
    { user_id: 'waits for a retry', attempts: 1 },
    { user_id: 'held as an SMS', held_until: until(7), channel: 'sms' },
    { user_id: 'held announcement', held_until: until(7), trigger: 'event.published' },
    { user_id: 'held elsewhere', held_until: until(7), tenant_id: 't2' },
    { ...postponed, user_id: 'overtaken', status: 'skipped', reason: 'event_state' },
    { ...postponed, user_id: 'about to be', status: 'waiting' },
    { ...postponed, user_id: 'sent again', status: 'waiting', repeated: true },
    { ...postponed, user_id: 'notified', status: 'sent' },
    { user_id: 'invited', trigger: 'event.published', status: 'sent' },
    { ...postponed, user_id: 'not wanted', status: 'skipped', reason: 'opted_out' },
  ];
  await store.insertMany(rows.map((more) => aDelivery({ ...change, id: `${more.user_id}`, ...more })));
  const user_ids = rows.map(({ user_id }) => `${user_id}`);
  const found = await store.findChanges({ ...SCOPE, event_ids: ['e2'], channel: 'email', user_ids }, until(5));
  const held = found.filter(({ notified }) => !notified);
  expect(held.map(({ user_id, fact_id }) => [fact_id, user_id]).sort()).toEqual([
    ['f1', 'held'],
    ['f1', 'not held'],
    ['f1', 'waits for a retry'],
    ['f2', 'about to be'],
    ['f2', 'overtaken'],
  ]);
  const notified = found.flatMap((row) => (row.notified ? row.user_id : []));
  expect(notified.sort()).toEqual(['invited', 'notified', 'sent again']);
});

test('a person whom WhatsApp notified counts as notified by SMS, which takes over from it', async () => {
  const announced = { event_id: 'e3', fact_id: 'f1', trigger: 'event.published', status: 'sent' } as const;
  await store.insertMany([aDelivery({ ...announced, id: 'by WhatsApp', user_id: 'eva', channel: 'whatsapp' })]);
  const reached = (channel: Delivery['channel']) =>
    store.findOtherAnnouncements({ ...SCOPE, event_ids: ['e3'], channel, user_ids: ['eva'] }, 'f2', []);
  expect(await reached('sms')).toMatchObject([{ user_id: 'eva' }]);
  expect(await reached('email')).toEqual([]);
});

test('finds the people whom a message of any kind reached since a moment, or is about to', async () => {
  const at = (second: number) => new Date(Date.UTC(2026, 8, 1, 10, 0, second));
  const confirmed = {
    event_id: 'e4',
    fact_id: 'f1',
    trigger: 'registration.confirmed',
    status: 'sent',
  } as const;
  const rows: Partial<Delivery>[] = [
    { user_id: 'before', settled_at: at(1) },
    { user_id: 'since', settled_at: at(3) },
    { user_id: 'in flight', status: 'sending' },
    { user_id: 'waiting', status: 'waiting' },
    { user_id: 'elsewhere', settled_at: at(3), event_id: 'e5' },
    { user_id: 'asking', status: 'claimed', fact_id: 'f2' },
  ];
  await store.insertMany(rows.map((more) => aDelivery({ ...confirmed, id: `since ${more.user_id}`, ...more })));
  const user_ids = rows.map(({ user_id }) => `${user_id}`);
  const found = await store.findReachedSince({ ...SCOPE, event_ids: ['e4'], channel: 'email', user_ids }, at(2), 'f2');
  expect(found.sort()).toEqual(['in flight', 'since']);
});

test('finds the people with an older message in flight, also on the channel that takes over', async () => {
  const older = { event_id: 'e6', fact_id: 'f1', channel: 'sms', status: 'sending' } as const;
  const rows: Partial<Delivery>[] = [
    { user_id: 'sending' },
    { user_id: 'leased', status: 'claimed' },
    { user_id: 'leased on WhatsApp', status: 'claimed', channel: 'whatsapp' },
    { user_id: 'by e-mail', channel: 'email' },
    { user_id: 'sent', status: 'sent' },
    { user_id: 'newer', fact_id: 'f3' },
    { user_id: 'elsewhere', event_id: 'e7' },
    { user_id: 'of another tenant', tenant_id: 't2' },
  ];
  await store.insertMany(rows.map((more) => aDelivery({ ...older, id: `in flight ${more.user_id}`, ...more })));
  const user_ids = rows.map(({ user_id }) => `${user_id}`);
  const found = await store.findInFlight({ ...SCOPE, event_ids: ['e6'], channel: 'sms', user_ids }, 'f2');
  expect(found.sort()).toEqual(['leased', 'leased on WhatsApp', 'sending']);
});
