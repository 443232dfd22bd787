import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { COLLECTION_NAMES, type CollectionName } from '../../../src/mongo/collections.ts';
import { eventRowOf } from '../../../src/mongo/events/event-row.ts';
import { deliveryCounts } from '../../../src/mongo/notifications/delivery-counts.ts';
import { IN_INBOX } from '../../../src/mongo/notifications/delivery-row.ts';
import { deliveryStore } from '../../../src/mongo/notifications/delivery-store.ts';
import { inboxStore } from '../../../src/mongo/notifications/inbox-store.ts';
import { oldRecords } from '../../../src/mongo/privacy/old-records.ts';
import { type RetentionCursor, removeOldRecords } from '../../../src/privacy/retention.ts';
import { anEvent, aRegistration, SCOPE } from '../../support/builders.ts';
import { provideDatabase } from '../../support/database.ts';
import { aDelivery, aFact, anEntry } from '../../support/message-builders.ts';

const DAYS = { deliveries: 365, inbox: 200, history: 1_000 };

const database = await provideDatabase();

const ago = (days: number): Date => new Date(database.clock.now().getTime() - days * 86_400_000);
const put = (name: CollectionName, row: object) => database.collection(name).insertOne(row as never);
const count = (name: CollectionName, filter: object) => database.collection(name).countDocuments(filter as never);

/** Records that are removed together with the facts of an event. */
const OF_HISTORY = ['ingested', 'acknowledgements', 'reminders'] as const;

/** Stores an event that ended this many days ago, with a delivery, a registration and an inbox entry. */
async function past(id: string, days: number, more: Partial<SchoolEvent> & { ends?: number; changed?: number } = {}) {
  const { ends = days, changed = days, status = 'completed', ...fields } = more;
  const event = anEvent({ id, status, ends_at: ago(ends), updated_at: ago(changed), ...fields });
  await put('events', eventRowOf(event));
  const of = { event_id: id };
  await deliveryStore(database).insertMany([
    aDelivery({ ...of, id: `${id}-mail`, user_id: 'eva', status: 'sent', created_at: ago(days) }),
    aDelivery({
      ...of,
      id: `${id}-sms`,
      channel: 'sms',
      status: 'skipped',
      reason: 'no_contact',
      created_at: ago(days),
    }),
  ]);
  const { id: _, ...fact } = aFact('event.cancelled', {}, { ...of, occurred_at: ago(days) });
  await put('facts', { _id: `${id}-fact`, ...fact });
  const { id: __, ...registration } = aRegistration({
    ...of,
    user_id: 'eva',
    notes: 'nuts',
    answers: [{ question_id: 'diet', value: 'nuts' }],
    cancel_reason: 'nuts',
    contact: { email: 'eva@people.example', phone: null },
    status: 'confirmed',
  });
  await put('registrations', { _id: `${id}-registration`, ...registration, active: true });
  for (const name of OF_HISTORY) await put(name, { _id: `${id}-${name}`, ...SCOPE, ...of, item_id: id });
}

async function removeAll(): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  let from: RetentionCursor | null = null;
  do {
    const round = await removeOldRecords({ clock: database.clock, old: oldRecords(database) }, DAYS, from);
    for (const [kind, more] of Object.entries(round.removed)) sums[kind] = (sums[kind] ?? 0) + more;
    from = round.next;
  } while (from);
  return sums;
}

test('keeps records that are young, in progress, changed lately or still to be sent', async () => {
  await past('young', 364);
  await past('running', 2_000, { status: 'published' });
  await past('begun', 2_000, { status: 'in_progress' });
  await past('written-down-late', 3, { ends: 5_000 });
  await past('ahead', 2_000, { ends: -10, changed: 2_000 });
  await past('open', 400);
  await deliveryStore(database).insertMany([
    aDelivery({ event_id: 'open', id: 'open-1', channel: 'push', status: 'waiting', created_at: ago(400) }),
  ]);
  await past('recent-message', 400);
  await deliveryStore(database).insertMany([
    aDelivery({
      event_id: 'recent-message',
      id: 'recent-1',
      channel: 'push',
      status: 'sent',
      created_at: ago(4),
    }),
  ]);
  expect(await removeAll()).toEqual({});
  expect(await count('deliveries', {})).toBe(16);
  expect(await count('facts', {})).toBe(7);
});

test('counts the age of a deleted event from its deletion', async () => {
  await past('deleted', 400, { status: 'published', ends: -10, deleted_at: ago(400) });
  expect(await removeAll()).toEqual({ deliveries: 2 });
});

test('keeps the records of a series, whose messages belong to one of its dates, until its last date is old', async () => {
  const later = { id: 'choir-2', parent_event_id: 'choir', is_recurring: true } as const;
  await past('choir', 400, { is_recurring: true });
  await past('choir-2', 400, { ...later, status: 'published', ends: -10 });
  expect(await removeAll()).toEqual({});
  // Its dates may be on different pages.
  const page = (after: string) => oldRecords(database).findEvents(after, 1);
  expect(await page('choi')).toEqual({ events: [{ id: 'choir', over_at: null }], next: 'choir' });
  expect(await page('choir')).toEqual({ events: [{ id: 'choir-2', over_at: null }], next: 'choir-2' });
  await database
    .collection('events')
    .updateOne({ _id: 'choir-2' }, { $set: { status: 'completed', ends_at: ago(366) } });
  expect(await removeAll()).toEqual({ deliveries: 4 });
});

test('deletes messages after their time and keeps their number', async () => {
  await past('last-year', 366);
  const outcomes = await deliveryStore(database).countOutcomes(SCOPE, 'last-year');
  expect(await removeAll()).toEqual({ deliveries: 2 });
  expect(await count('deliveries', { event_id: 'last-year' })).toBe(0);
  expect(await deliveryStore(database).countOutcomes(SCOPE, 'last-year')).toEqual(outcomes);
  expect(outcomes).toHaveLength(2);
  // The timeline and registrations are kept longer.
  expect(await count('facts', { event_id: 'last-year' })).toBe(1);
  expect(await count('registrations', { event_id: 'last-year', user_id: 'eva' })).toBe(1);
  expect(await removeAll()).toEqual({});
});

test('counts no message twice when a process dies in the middle of it', async () => {
  await past('halfway', 366);
  const outcomes = await deliveryStore(database).countOutcomes(SCOPE, 'halfway');
  expect(await deliveryCounts(database).remove('halfway', 1)).toBe(1);
  expect(await deliveryStore(database).countOutcomes(SCOPE, 'halfway')).toEqual(outcomes);
  expect(await removeAll()).toEqual({ deliveries: 1 });
  expect(await deliveryStore(database).countOutcomes(SCOPE, 'halfway')).toEqual(outcomes);
});

test('deletes the history after years and anonymises registrations', async () => {
  await past('long-ago', 1_001);
  expect(await removeAll()).toEqual({ deliveries: 2, history: 1 });
  expect(await count('facts', { event_id: 'long-ago' })).toBe(0);
  for (const name of OF_HISTORY) expect(await count(name, { event_id: 'long-ago' }), name).toBe(0);
  const [row] = await database
    .collection('registrations')
    .find({ event_id: 'long-ago' } as never)
    .toArray();
  expect(row).toMatchObject({ status: 'confirmed', kind: 'attendee', user_id: 'past-long-ago-registration' });
  expect(JSON.stringify(row)).not.toMatch(/eva|nuts/);
  expect(await count('events', { _id: 'long-ago' })).toBe(1);
});

test('keeps a fact that is not fanned out yet', async () => {
  await past('stuck', 1_001);
  await database
    .collection('facts')
    .updateOne({ _id: 'stuck-fact' } as never, { $set: { relay: 'handed_on' } } as never);
  expect(await removeAll()).toEqual({ deliveries: 2 });
  expect(await count('facts', { event_id: 'stuck' })).toBe(1);
});

test('deletes a message of the school after its last answer and delivery', async () => {
  const event_id = 'old-message';
  await put('messages', { _id: event_id, ...SCOPE, send_at: ago(1_010) });
  for (const [type, days] of [
    ['message.requested', 1_010],
    ['message.answered', 990],
  ] as const) {
    const { id: _, ...fact } = aFact(type, {}, { event_id, occurred_at: ago(days) });
    await put('facts', { _id: type, ...fact });
  }
  await deliveryStore(database).insertMany([aDelivery({ event_id, created_at: ago(300), status: 'sent' })]);
  expect(await removeAll()).toEqual({ history: 1 });
  const records = async () => [await count('messages', {}), await count('facts', {}), await count('deliveries', {})];
  expect(await records()).toEqual([1, 1, 1]);
  await database.collection('deliveries').updateOne({ event_id }, { $set: { created_at: ago(366) } });
  expect(await removeAll()).toEqual({ deliveries: 1 });
  expect(await records()).toEqual([1, 1, 0]);
  await database.collection('facts').updateOne({ _id: 'message.answered' }, { $set: { occurred_at: ago(1_001) } });
  expect(await removeAll()).toEqual({ history: 1 });
  expect(await records()).toEqual([0, 0, 0]);
});

test('empties old entries out of every inbox and keeps their deliveries', async () => {
  const entries = ['adam', 'eva', 'zoe'].flatMap((user_id) =>
    [1, 199, 201, 900].map((days) => anEntry({ id: `${user_id}-${days}`, user_id, settled_at: ago(days) })),
  );
  const elsewhere = [{ school_id: 's2' }, { tenant_id: 't2', school_id: 's0' }].map((scope, n) =>
    anEntry({ ...scope, id: `elsewhere-${n}`, user_id: 'adam', settled_at: ago(900) }),
  );
  await deliveryStore(database).insertMany([...entries, ...elsewhere]);
  const { next } = await oldRecords(database).removeInboxEntries(null, 1, new Date(0));
  expect(next).toEqual({ ...SCOPE, user_id: 'adam' });
  await database.collection('deliveries').updateMany({ user_id: 'eva' }, { $set: { read_at: new Date() } as never });
  expect(await removeAll()).toEqual({ inbox: 8 });
  expect(await count('deliveries', { ...IN_INBOX, settled_at: { $lt: ago(200) } })).toBe(0);
  expect(await count('deliveries', IN_INBOX)).toBe(6);
  const inbox = inboxStore(database);
  const shown = await inbox.findPage(SCOPE, 'eva', { unread: false, archived: false, limit: 9 });
  expect(shown.map(({ id }) => id)).toEqual(['eva-1', 'eva-199']);
  const forgotten = await database.collection('deliveries').findOne({ _id: 'eva-900' });
  expect(forgotten).toMatchObject({ status: 'sent', user_id: 'eva' });
  for (const field of ['title', 'body', 'read_at', 'arrived']) expect(forgotten).not.toHaveProperty(field);
});

test('deletes a bounce that ended a year ago and keeps a complaint', async () => {
  const rows = [
    { _id: 'old', kind: 'bounced', until: ago(366) },
    { _id: 'new', kind: 'bounced', until: ago(364) },
    { _id: 'complained', kind: 'bounced', until: ago(366), complained: true },
    { _id: 'for ever', kind: 'complained', until: null },
  ].map((row) => ({ ...row, tenant_id: 't1', channel: 'email', address: row._id }));
  await database.collection('suppressions').insertMany(rows as never);
  expect(await removeAll()).toEqual({ bounces: 1 });
  expect(await count('suppressions', {})).toBe(3);
});

/** Collections of which nothing gets old: what a school or a person keeps until it is deleted, counts, and notes of the installation. */
const KEPT: CollectionName[] = [
  ...(['event_templates', 'saved_texts', 'outside_calendars', 'webhooks', 'schools', 'files'] as const),
  ...(['contacts', 'feeds', 'preferences', 'push_subscriptions'] as const),
  ...(['event_tallies', 'delivery_counts', 'secrets', 'texts', 'marks'] as const),
];

test('every other collection loses its old rows, here or by an index', async () => {
  const cleaned = readFileSync(new URL('../../../src/mongo/privacy/old-records.ts', import.meta.url), 'utf8');
  const ends = async (name: CollectionName) =>
    cleaned.includes(`collection('${name}')`) ||
    (await database.collection(name).indexes()).some(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
  const kept = await Promise.all(COLLECTION_NAMES.map(async (name) => ((await ends(name)) ? [] : name)));
  expect(kept.flat().sort()).toEqual([...KEPT].sort());
});
