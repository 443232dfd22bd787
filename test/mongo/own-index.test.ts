import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { CollectionName } from '../../src/mongo/collections.ts';
import type { Database } from '../../src/mongo/database.ts';
import { eventReader } from '../../src/mongo/events/event-reader.ts';
import { eventRowOf } from '../../src/mongo/events/event-row.ts';
import { eventStore } from '../../src/mongo/events/event-store.ts';
import { deliveryStore } from '../../src/mongo/notifications/delivery-store.ts';
import { openDatabase } from '../../src/mongo/open-database.ts';
import { factStore } from '../../src/mongo/outbox/fact-store.ts';
import { contactStore } from '../../src/mongo/people/people-stores.ts';
import { registrationStore } from '../../src/mongo/registrations/registration-store.ts';
import { visibleTo } from '../../src/people/visible-events.ts';
import { aCaller, aContact, anEvent, aRegistration, SCOPE } from '../support/builders.ts';
import { freshDatabaseUri } from '../support/database.ts';
import { profile } from '../support/profile.ts';

/** Rows of each collection that a query must not read. */
const OTHERS = 1_000;
/** Rows that a query is for. */
const OWN = 300;

const PAST = new Date(0);
const many = <T>(count: number, row: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => row(n));
/** Ids in the order of time, as the product's are. */
const idOf = (n: number) => String(n).padStart(6, '0');

let database: Database;
beforeAll(async () => {
  database = await openDatabase(freshDatabaseUri(inject('mongodbUri')));
  await database.setUp();
  const insert = (name: CollectionName, rows: object[]) => database.collection(name).insertMany(rows as never);
  const event = (n: number, more = {}) => eventRowOf(anEvent({ id: `event-${n}`, ...more }));
  await insert(
    'events',
    many(OTHERS, (n) => event(n)),
  );
  await insert(
    'events',
    many(3, (n) => event(OTHERS + n, { parent_event_id: 'event-1' })),
  );
  const ofEvent = (n: number) => ({ ...SCOPE, event_id: n < OWN ? 'own' : 'other' });
  await insert(
    'registrations',
    many(OTHERS, (n) => ({
      ...aRegistration({ id: '', user_id: `user-${n}` }),
      _id: idOf(n),
      active: true,
      ...ofEvent(n),
    })),
  );
  await insert(
    'facts',
    many(OTHERS, (n) => ({ _id: idOf(OTHERS - n), ...ofEvent(n), type: 'registration.confirmed', data: {} })),
  );
  await contactStore(database).putMany(many(OTHERS, (n) => aContact(`user-${n}`, { name: idOf(n) })));
  await insert(
    'webhook_attempts',
    many(OTHERS, (n) => ({ _id: idOf(n), ...SCOPE, webhook_id: 'hook', fact_id: idOf(n), user_id: `user-${n}` })),
  );
  const waiting = { ...SCOPE, channel: 'email', urgent: false, status: 'waiting', queued_at: null, due_at: PAST };
  const later = { expires_at: new Date('2100-01-01') };
  await insert(
    'deliveries',
    many(OTHERS, (n) => ({ ...waiting, ...later, _id: `held-${n}`, digest_key: `key-${n}` })),
  );
  await insert(
    'deliveries',
    many(OTHERS, (n) => ({ ...SCOPE, _id: `sent-${n}`, user_id: `user-${n}`, status: 'sent', lease_until: null })),
  );
  const failed = { ...SCOPE, status: 'failed', reason: 'refused', settled_at: PAST };
  await insert(
    'deliveries',
    many(50, (n) => ({ ...failed, _id: `failed-${n}` })),
  );
});
afterAll(() => database?.close());

/** How many documents and index keys the queries of `work` read. */
async function readBy(work: () => Promise<unknown>): Promise<number> {
  const found = await profile(database, {}, work);
  return found.reduce((sum, { docsExamined = 0, keysExamined = 0 }) => sum + Math.max(docsExamined, keysExamined), 0);
}

/** The last page is read up to the end of the event, where a scan would go on. */
const lastPage = { status: undefined, kind: undefined, limit: 200, after: idOf(OWN - 150) };

test.each<[string, number, () => Promise<unknown>]>([
  ['the dates of a series', 10, () => eventStore(database).findSeries(SCOPE, 'event-1')],
  ['the size of a series', 10, () => eventStore(database).measureSeries(SCOPE, 'event-1')],
  [
    'the page of a series',
    10,
    () =>
      eventReader(database).findPage(
        visibleTo(aCaller({ permissions: ['events.update'] })),
        [{ series: 'event-1' }],
        ['id'],
        { limit: 50 },
      ),
  ],
  [
    'the last page of an event’s registrations',
    160,
    () => registrationStore(database).findPage(SCOPE, 'own', lastPage),
  ],
  [
    'the last recipients of an event',
    160,
    () =>
      registrationStore(database).findPage(SCOPE, 'own', { status: ['confirmed'], after: idOf(OWN - 150), limit: 200 }),
  ],
  [
    'the oldest facts of an event',
    160,
    () => factStore(database).listOfEvent(SCOPE, 'own', { limit: 200, before: idOf(OTHERS - OWN + 150) }),
  ],
  ['a page of the directory', 60, () => contactStore(database).search(SCOPE, { words: [], after: null, limit: 50 })],
  [
    'a later page of the directory',
    60,
    () => contactStore(database).search(SCOPE, { words: [], after: { at: idOf(500), id: 'user-500' }, limit: 50 }),
  ],
  [
    'the webhook attempts about a person',
    5,
    () =>
      database
        .collection('webhook_attempts')
        .find({ ...SCOPE, $or: [{ user_id: 'user-7' }] })
        .toArray(),
  ],
  [
    'the messages of a person',
    5,
    async () => {
      await deliveryStore(database).list(SCOPE, { user_id: 'user-7', limit: 50 });
      await deliveryStore(database).count(SCOPE, { user_id: 'user-7' });
    },
  ],
  [
    'failed messages',
    60,
    () => database.transact((tx) => deliveryStore(database).retryFailed(SCOPE, { from: PAST, to: new Date() }, 20, tx)),
  ],
  ['expired leases', 5, () => deliveryStore(database).findExpiredLeases(500)],
  ['expired messages', 5, () => deliveryStore(database).expireWaiting(500)],
  ['the members of a digest', 5, () => deliveryStore(database).findDueDigestMembers(['key-7'], 'email')],
])('an index finds %s, and little else is read', async (_what, most, query) => {
  expect(await readBy(query)).toBeLessThanOrEqual(most);
});

test('the check finds a query that reads the rest of an index', async () => {
  expect(
    await readBy(() => database.collection('deliveries').find({ digest_key: 'key-7' }).toArray()),
  ).toBeGreaterThanOrEqual(OTHERS);
});
