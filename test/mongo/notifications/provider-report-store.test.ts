import { beforeAll, beforeEach, expect, test } from 'vitest';
import { storesOn } from '../../../src/app/stores.ts';
import type { Database } from '../../../src/mongo/database.ts';
import { deliveryStore } from '../../../src/mongo/notifications/delivery-store.ts';
import { suppressionStore } from '../../../src/mongo/notifications/suppression-store.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { orFallback } from '../../../src/notifications/policy/retry.ts';
import { recordMailReport, recordStatusCallback } from '../../../src/notifications/providers/provider-report.ts';
import { emptyDatabase } from '../../support/database.ts';
import { aDelivery } from '../../support/message-builders.ts';

const NUMBER = '+420601123456';
let database: Database;
let store: ReturnType<typeof deliveryStore>;
beforeAll(async () => {
  database = await emptyDatabase();
  store = deliveryStore(database);
});
beforeEach(async () => {
  await database.collection('deliveries').deleteMany({});
  await database.collection('suppressions').deleteMany({});
});

const sms = (more: Partial<Delivery>) =>
  aDelivery({ id: 'd', channel: 'sms', address: NUMBER, fence: 2, claim: 'ours', ...more });
const given = (more: Partial<Delivery>) => store.insertMany([sms(more)]);
const SENDERS = ['+15005550006', 'MG1'];
const tell = (status: string, error_code: string | null = null, fence = 2) => {
  const callback = { delivery_id: 'd', fence, provider_id: 'SM1', status, error_code, senders: SENDERS };
  return recordStatusCallback(storesOn(database), callback);
};
const row = async () => {
  const found = await store.find('d');
  return [found?.status, found?.reason, found?.detail, found?.provider_id];
};
const taken = { to: 'sent', id: 'd', provider_id: 'SM1', provider: 'twilio', detail: null } as const;
const doubted = {
  to: 'unknown',
  id: 'd',
  afterMs: 300_000,
  detail: 'twilio ETIMEDOUT',
  attempts: 1,
  errors: 0,
  repeated: false,
} as const;

const DELIVERED = ['sent', null, 'delivered', 'SM1'];
const UNREACHABLE = ['failed', 'unreachable', 'twilio 30003', 'SM1'];

test.each([
  ['in order', ['queued', 'sending', 'sent', 'delivered'], DELIVERED],
  ['doubled', ['sent', 'sent', 'delivered', 'delivered'], DELIVERED],
  ['reversed', ['delivered', 'sent', 'queued'], DELIVERED],
  ['failing', ['sent', 'undelivered'], UNREACHABLE],
  ['failing, reversed', ['undelivered', 'sent'], UNREACHABLE],
  ['failing, doubled', ['undelivered', 'undelivered'], UNREACHABLE],
  ['failing, then delivered', ['undelivered', 'sent', 'delivered'], DELIVERED],
  ['delivered and then denied', ['delivered', 'failed'], DELIVERED],
])('status callbacks %s after the message was accepted have the expected result', async (_name, words, wanted) => {
  await given({ status: 'sent', provider_id: 'SM1', claim: null });
  for (const word of words) await tell(word, word === 'undelivered' ? '30003' : null);
  expect(await row()).toEqual(wanted);
});

test.each([
  ['delivered', ['sent', 'delivered'], DELIVERED],
  ['delivered, reversed', ['delivered', 'sent'], DELIVERED],
  ['undelivered', ['sent', 'undelivered'], UNREACHABLE],
  ['undelivered, reversed', ['undelivered', 'sent'], UNREACHABLE],
])('status callbacks before the answer are kept: %s', async (_name, words, wanted) => {
  for (const [i, result] of [taken, doubted].entries()) {
    await database.collection('deliveries').deleteMany({});
    await given({ status: 'sending', lease_until: new Date(Date.now() + 60_000) });
    for (const word of words) await tell(word, word === 'undelivered' ? '30003' : null);
    expect((await row())[0]).toBe('sending');
    await store.record([result], 'ours');
    expect(await row(), ['taken', 'doubted'][i]).toEqual(wanted);
    expect(JSON.stringify(await database.collection('deliveries').findOne({}))).not.toContain('news');
  }
});

test('a callback counts although the worker died before it recorded the answer', async () => {
  const lease_until = new Date(Date.now() - 1_000);
  await given({ status: 'sending', lease_until, crashes: 1 });
  await tell('delivered');
  const [left] = await store.findExpiredLeases(10);
  if (!left) throw new Error('no lease ran out');
  await store.recordReconciled([{ row: left, result: doubted }]);
  expect(await row()).toEqual(DELIVERED);
});

test.each(['waiting', 'claimed', 'unknown', 'sent_unconfirmed'] as const)(
  'a message that has arrived is not sent again, although it was %s',
  async (status) => {
    await given({ status, fence: 3, lease_until: status === 'claimed' ? new Date(Date.now() + 60_000) : null });
    await tell('delivered', null, 2);
    expect(await row()).toEqual(DELIVERED);
    expect(await store.markSending([{ id: 'd', fence: 3 }], 'ours', 1_000)).toEqual([]);
  },
);

test('a callback about an earlier or a future try does not change the present one', async () => {
  await given({ status: 'unknown', fence: 3 });
  await tell('undelivered', '30003', 2);
  await tell('delivered', null, 4);
  expect((await row())[0]).toBe('unknown');
});

test('a STOP that the messaging service reports only later is recorded for its senders', async () => {
  await given({ status: 'sent', claim: null });
  await tell('failed', '21610');
  expect(await row()).toEqual(['failed', 'opted_out', 'twilio 21610', 'SM1']);
  for (const sender of SENDERS)
    expect(await suppressionStore(database).findStopped([sender], [NUMBER])).toEqual(new Set([NUMBER]));
});

test('an invalid number is suppressed', async () => {
  await given({ status: 'sent', claim: null });
  await tell('undelivered', '30005');
  expect(await row()).toEqual(['failed', 'bad_address', 'twilio 30005', 'SM1']);
  const held = await suppressionStore(database).findSuppressed('t1', 'sms', [NUMBER], { urgent: true });
  expect([...held]).toEqual([NUMBER]);
});

/** Two messages sent as one digest, one sent alone, and one never sent. */
async function digest(): Promise<() => Promise<unknown>> {
  const of = (id: string, more: Partial<Delivery>) =>
    aDelivery({ id, channel: 'email', address: 'eva@people.example', status: 'sent', ...more });
  await store.insertMany([
    of('first', { digest_id: 'first' }),
    of('second', { digest_id: 'first', detail: 'in_digest first' }),
    of('stopped', { digest_id: 'first', status: 'skipped', reason: 'expired' }),
    of('other', {}),
  ]);
  const digest_ids = ['first', 'second', 'stopped'];
  await database.collection('deliveries').updateOne({ _id: 'first' } as never, { $set: { digest_ids } } as never);
  return async () => {
    const rows = await Promise.all(['first', 'second', 'stopped', 'other'].map((id) => store.find(id)));
    return rows.map((found) => [found?.status, found?.reason ?? found?.detail]);
  };
}
type Came = { kind: 'status'; action: string; code: string } | { kind: 'feedback'; type: string };
/** A report about the first message with its signature. */
const come = (came: Came, signature = 'genuine') =>
  recordMailReport(
    {
      ...storesOn(database),
      messageIds: { isSignature: (id, given) => given === 'genuine' && id === 'first' },
    },
    { about: { delivery_id: 'first', signature }, ...came },
  );
const BOUNCE = { kind: 'status', action: 'failed', code: '5.1.1' } as const;
const COMPLAINT = { kind: 'feedback', type: 'abuse' } as const;
const held = (urgent: boolean) =>
  suppressionStore(database).findSuppressed('t1', 'email', ['eva@people.example'], { urgent });

test('a bounced digest fails all its members', async () => {
  const found = await digest();
  await come(BOUNCE);
  expect(await found()).toEqual([
    ['failed', 'bad_address'],
    ['failed', 'bad_address'],
    ['skipped', 'expired'],
    ['sent', null],
  ]);
});

test('a complaint is noted on an e-mail, which stays sent', async () => {
  const found = await digest();
  await come(COMPLAINT);
  expect(await found()).toEqual([
    ['sent', 'complaint'],
    ['sent', 'in_digest first'],
    ['skipped', 'expired'],
    ['sent', null],
  ]);
});

test.each([
  ['bounce', BOUNCE],
  ['complaint', COMPLAINT],
])('a %s without the signature of its message changes nothing', async (_name, came) => {
  const found = await digest();
  const before = await found();
  expect(await come(came, 'forged')).toBe(false);
  expect(await found()).toEqual(before);
  expect(await held(false)).toEqual(new Set());
});

test.each([
  ['bounce', BOUNCE],
  ['complaint', COMPLAINT],
])('a %s counts once: a second one does not suppress the address again after staff lifted it', async (_name, came) => {
  await digest();
  expect(await come(came)).toBe(true);
  expect((await held(false)).size).toBe(1);
  await database.collection('suppressions').deleteMany({});
  expect(await come(came)).toBe(true);
  expect((await held(false)).size).toBe(0);
});

test.each([
  ['63024', ['undelivered']],
  ['63016', ['undelivered']],
  ['63003', ['sent', 'failed', 'failed']],
  ['63024', ['undelivered', 'sent']],
])('a WhatsApp message that fails with %s after %j moves to SMS once', async (code, words) => {
  const moved = { status: 'waiting', channel: 'sms', fallback: null, detail: `twilio ${code}`, settled_at: null };
  for (const status of ['sent', 'sending'] as const) {
    await database.collection('deliveries').deleteMany({});
    await given({ channel: 'whatsapp', fallback: 'sms', status });
    for (const word of words) await tell(word, word === 'sent' ? null : code);
    if (status === 'sending') await store.record([taken], 'ours');
    expect(await store.find('d')).toMatchObject({ ...moved, fence: 3, attempts: 0, provider_id: null, claim: null });
    expect(await store.findDue(['d'], 'sms')).toHaveLength(1);
  }
  await store.lease(await store.findDue(['d'], 'sms'), 'ours', 60_000);
  await store.markSending([{ id: 'd', fence: 4 }], 'ours', 60_000);
  await store.record([taken], 'ours');
  await tell('undelivered', code, 4);
  expect(await store.find('d')).toMatchObject({ status: 'failed', channel: 'sms' });
});

test('a WhatsApp message that arrives after all is not sent as SMS', async () => {
  await given({ channel: 'whatsapp', fallback: 'sms', status: 'sent' });
  await tell('undelivered', '63024');
  await tell('delivered');
  expect(await row()).toEqual(DELIVERED);
});

test('a WhatsApp message without fallback fails with the reason', async () => {
  await given({ channel: 'whatsapp', status: 'sent' });
  await tell('undelivered', '63024');
  expect(await row()).toEqual(['failed', 'no_account', 'twilio 63024', 'SM1']);
  await given({ id: 'e', channel: 'whatsapp', fallback: 'sms', status: 'sending' });
  await store.record([orFallback({ fallback: 'sms' }, noTemplate)], 'ours');
  expect(await store.find('e')).toMatchObject({ status: 'waiting', channel: 'sms', fallback: null });
});

const noTemplate = { to: 'skipped', id: 'e', reason: 'no_template', detail: 'whatsapp message.en' } as const;
