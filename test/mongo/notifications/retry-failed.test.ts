import { beforeEach, expect, test } from 'vitest';
import { deliveryStore } from '../../../src/mongo/notifications/delivery-store.ts';
import {
  type Delivery,
  type FailedFilter,
  REASONS,
  RETRYABLE_REASONS,
  type Reason,
} from '../../../src/notifications/delivery.ts';
import { SCOPE } from '../../support/builders.ts';
import { emptyDatabase } from '../../support/database.ts';
import { aDelivery } from '../../support/message-builders.ts';

const at = (hour: number) => new Date(Date.UTC(2026, 8, 1, hour));

const database = await emptyDatabase();
const store = deliveryStore(database);
beforeEach(() => database.collection('deliveries').deleteMany({}));

const failed = (id: string, more: Partial<Delivery> = {}) =>
  aDelivery({
    id,
    event_id: 'e1',
    status: 'failed',
    reason: 'refused',
    detail: '550 5.7.1',
    attempts: 3,
    template_version: 'v1',
    settled_at: at(10),
    expires_at: null,
    ...more,
  });
const retry = (filter: FailedFilter, { scope = SCOPE, limit = 100 } = {}) =>
  database.transact((tx) => store.retryFailed(scope, filter, limit, tx));
const waiting = async () =>
  (await database.collection('deliveries').find({ status: 'waiting' }).sort({ _id: 1 }).toArray()).map(
    ({ _id }) => _id,
  );

test('resets a failed message and its counters to waiting, so that a worker takes it', async () => {
  await store.insertMany([failed('a')]);
  expect(await retry({ reason: 'refused' })).toEqual({ byEvent: new Map([['e1', 1]]), has_more: false });
  const row = await store.find('a');
  expect(row).toMatchObject({ status: 'waiting', reason: null, attempts: 0, settled_at: null, template_version: null });
  expect(row?.redriven_at).toBeInstanceOf(Date);
  expect(await store.takeForQueue('email', row?.urgent ?? false, 't1', 10)).toEqual(['a']);
  expect(await retry({ reason: 'refused' })).toEqual({ byEvent: new Map(), has_more: false });
});

test('expires no message that may have arrived before its second try: it counts as sent', async () => {
  const second = { ...failed('email'), status: 'waiting' as const, reason: null, repeated: true, expires_at: at(11) };
  await store.insertMany([second, { ...second, id: 'sms', channel: 'sms' }]);
  expect(await store.expireWaiting(10)).toBe(2);
  expect(await store.find('email')).toMatchObject({ status: 'sent_unconfirmed', reason: null });
  // The provider of text messages was asked, and does not have it.
  expect(await store.find('sms')).toMatchObject({ status: 'skipped', reason: 'expired' });
});

test('expires a retried message that is too late by now', async () => {
  await store.insertMany([failed('late', { expires_at: at(11) })]);
  await retry({ event_id: 'e1' });
  expect(await store.expireWaiting(10)).toBe(1);
  expect(await store.find('late')).toMatchObject({ status: 'skipped', reason: 'expired' });
});

test('retries only messages that the provider refused', async () => {
  const reasons = Object.keys(REASONS) as Reason[];
  await store.insertMany([
    ...reasons.map((reason) => failed(reason, { reason })),
    failed('sent', { status: 'sent', reason: null }),
    failed('skipped', { status: 'skipped' }),
    failed('quarantined', { status: 'quarantined' }),
  ]);
  await retry({ from: at(0) });
  expect(await waiting()).toEqual([...RETRYABLE_REASONS].sort());
});

test('retries a single message, also one to an address that was suppressed', async () => {
  await store.insertMany([
    failed('refused'),
    failed('other'),
    failed('suppressed', { status: 'skipped', reason: 'suppressed' }),
    failed('opted out', { status: 'skipped', reason: 'opted_out' }),
    failed('gone', { reason: 'gone' }),
  ]);
  for (const delivery_id of ['refused', 'suppressed', 'opted out', 'gone', 'unknown']) await retry({ delivery_id });
  expect(await waiting()).toEqual(['refused', 'suppressed']);
});

test('takes a message out of its failed digest, so that it goes to today’s address', async () => {
  await store.insertMany([failed('first', { digest_id: 'first' }), failed('second', { digest_id: 'first' })]);
  await retry({ delivery_id: 'second' });
  expect(await store.find('second')).toMatchObject({ status: 'waiting', digest_id: null });
  expect(await store.find('first')).toMatchObject({ status: 'failed', digest_id: 'first' });
});

test.each<[string, FailedFilter, string[]]>([
  ['an event', { event_id: 'e2' }, ['event']],
  ['a reason', { reason: 'mailbox_full' }, ['full']],
  ['a channel since a moment', { channel: 'sms', from: at(0) }, ['sms']],
  ['the moment they failed', { from: at(12), to: at(13) }, ['noon']],
])('selects by %s', async (_name, filter, ids) => {
  await store.insertMany([
    failed('plain'),
    failed('event', { event_id: 'e2' }),
    failed('full', { reason: 'mailbox_full' }),
    failed('sms', { channel: 'sms' }),
    failed('noon', { settled_at: at(12) }),
    failed('one', { settled_at: at(13) }),
  ]);
  await retry(filter);
  expect(await waiting()).toEqual(ids);
});

test('retries only messages of the school up to the limit and counts them by event', async () => {
  await store.insertMany([
    failed('a', { settled_at: at(3) }),
    failed('b', { settled_at: at(1) }),
    failed('c', { settled_at: at(2), event_id: 'e2' }),
  ]);
  for (const other of [{ tenant_id: 't2' }, { school_id: 's2' }])
    expect(await retry({ from: at(0) }, { scope: { ...SCOPE, ...other } })).toEqual({
      byEvent: new Map(),
      has_more: false,
    });
  const byEvent = new Map([
    ['e1', 1],
    ['e2', 1],
  ]);
  expect(await retry({ from: at(0) }, { limit: 2 })).toEqual({ byEvent, has_more: true });
  expect(await waiting()).toEqual(['b', 'c']);
  expect(await retry({ from: at(0) }, { limit: 2 })).toEqual({ byEvent: new Map([['e1', 1]]), has_more: false });
});
