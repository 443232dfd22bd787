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
  const reached = ['in flight', 'quarantined after two crashes', 'sent', 'sent again in vain', 'to be sent again'];
  const corrected = await store.listAnnounced(SCOPE, ['e1'], { after: null, limit: 2 });
  const others = await store.listAnnounced(SCOPE, ['e1'], { after: `${corrected[1]?.id}`, limit: 100 });
  expect([...corrected, ...others].map((row) => row.user_id)).toEqual(reached);
  await store.insertMany([aDelivery({ id: 'before', event_id: 'e1', status: 'sent', settled_at: new Date(1) })]);
  const notified = await store.listReachedSince(SCOPE, 'e1', new Date(2), { after: null, limit: 100 });
  expect(notified.map((row) => row.user_id)).toEqual(reached);
});

test('finds the messages of other facts to people about events, on the channel and the one that takes over, oldest first', async () => {
  const older = { event_id: 'e6', fact_id: 'f1', channel: 'sms' } as const;
  const rows: Partial<Delivery>[] = [
    { user_id: 'later', fact_id: 'f3', status: 'sending' },
    { user_id: 'by SMS', other_sequences: { e7: 2 } },
    { user_id: 'on WhatsApp', channel: 'whatsapp', status: 'sent', settled_at: new Date(1) },
    { user_id: 'by e-mail', channel: 'email' },
    { user_id: 'this one', fact_id: 'f2' },
    { user_id: 'elsewhere', event_id: 'e7' },
    { user_id: 'of another tenant', tenant_id: 't2' },
  ];
  await store.insertMany(rows.map((more) => aDelivery({ ...older, id: `other ${more.user_id}`, ...more })));
  await store.insertMany([aDelivery({ ...older, id: 'other', user_id: 'of another reader' })]);
  const user_ids = rows.map(({ user_id }) => `${user_id}`);
  const found = await store.findOthers({ ...SCOPE, event_ids: ['e6'], channel: 'sms', user_ids }, 'f2');
  expect(found.map(({ user_id }) => user_id)).toEqual([expect.any(String), expect.any(String), 'later']);
  const unsent = { trigger: 'event.published', reason: null, repeated: false, settled_at: null };
  expect(found).toEqual(
    expect.arrayContaining([
      { ...unsent, ...rows[0], event_id: 'e6', _id: 'other later' },
      { ...unsent, ...rows[1], event_id: 'e6', fact_id: 'f1', status: 'waiting', _id: 'other by SMS' },
      expect.objectContaining({ user_id: 'on WhatsApp', fact_id: 'f1', status: 'sent', settled_at: new Date(1) }),
    ]),
  );
  const byMail = await store.findOthers({ ...SCOPE, event_ids: ['e6'], channel: 'email', user_ids }, 'f2');
  expect(byMail.map(({ user_id }) => user_id)).toEqual(['by e-mail']);
});
