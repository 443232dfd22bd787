import { Readable } from 'node:stream';
import mongoose from 'mongoose';
import { storesOn } from '../../../src/app/stores.ts';
import { BUNDLE } from '../../../src/build/compile-texts.ts';
import { loadTexts } from '../../../src/channels/templates/catalogue.ts';
import { sampleMessage } from '../../../src/channels/templates/sample-message.ts';
import type { Transact } from '../../../src/core/transaction.ts';
import type { SchoolEvent } from '../../../src/events/event.ts';
import type { HttpDeps } from '../../../src/http/deps.ts';
import type { CollectionName } from '../../../src/mongo/collections.ts';
import type { Database } from '../../../src/mongo/database.ts';
import { deliveryRowOf } from '../../../src/mongo/notifications/delivery-row.ts';
import { recordOf } from '../../../src/mongo/rows.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import type { InboxSignal, StoredEntry } from '../../../src/notifications/inbox/entry.ts';
import type { Suppression } from '../../../src/notifications/providers/suppression.ts';
import type { Fact } from '../../../src/outbox/fact.ts';
import type { Scope } from '../../../src/people/caller.ts';
import type { Contact } from '../../../src/people/contact.ts';
import { knownCallers } from '../../../src/people/known-callers.ts';
import { signedLinks } from '../../../src/people/links.ts';
import type { PushSubscription } from '../../../src/people/ports.ts';
import type { Preferences } from '../../../src/people/preferences.ts';
import type { School } from '../../../src/people/school.ts';
import type { ViewStart } from '../../../src/people/view-as.ts';
import { doorCodes } from '../../../src/registrations/door/door.ts';
import type { Registration } from '../../../src/registrations/registration.ts';
import { openEventQueues } from '../../../src/registrations/seats/event-queues.ts';
import { readTables } from '../../../src/storage/read-tables.ts';
import { fileReceiver } from '../../../src/storage/receive-file.ts';
import { clear, readAllRows } from '../database.ts';
import { withMovedClock } from '../moved-clock.ts';

/** The rows of a collection in the order of their insertion, and how a test adds some. */
type Table<Row> = (() => Promise<Row[]>) & {
  put(...rows: Row[]): Promise<void>;
  /** Changes fields of every row, or of one. */
  set(change: Partial<Row>, id?: string): Promise<void>;
  remove(matching: Partial<Row>): Promise<void>;
};

/** The limit of uploaded files in tests. */
const MAX_FILE_BYTES = 200_000;

function memoryStorage(): HttpDeps['storage'] {
  const stored = new Map<string, Uint8Array>();
  return {
    put: async (id, bytes) => void stored.set(id, bytes),
    async get(id) {
      const bytes = stored.get(id);
      return bytes ? Readable.from([bytes]) : null;
    },
    remove: async (id) => void stored.delete(id),
  };
}

export type HttpPorts = ReturnType<typeof httpPorts>;

/** When the clock stands at the beginning of each test that opens the application. */
const START = new Date('2026-09-01T08:00:00Z');

/**
 * The dependencies of the routes: real stores on a stopped clock, and stand-ins for signatures, links, live signals and the
 * reports of providers.
 */
export function httpPorts(database: Database) {
  const now = { at: START };
  const stores = storesOn(withMovedClock(database, { now: () => now.at }));
  /** Set to make the next transaction fail as a database would. */
  const faults = { transact: null as Error | null };
  const failing =
    (transact: Transact): Transact =>
    async (work) => {
      if (faults.transact) throw faults.transact;
      return transact(work);
    };
  const transact = failing(stores.transact);
  const transactOnce = failing(stores.transactOnce);
  const signals = { inbox: channelOf<InboxSignal>(), events: channelOf<string>() };
  const news: unknown[] = [];
  const { inbox } = stores;
  const completeCaller = knownCallers(stores);
  const deps: HttpDeps = {
    ...stores,
    transact,
    transactOnce,
    eventQueues: openEventQueues({ ...stores, transactOnce }),
    storage: memoryStorage(),
    receiveFile: fileReceiver(MAX_FILE_BYTES),
    maxFileBytes: MAX_FILE_BYTES,
    webhookOrigins: [],
    readTables,
    inbox: {
      ...inbox,
      async mark({ tenant_id, school_id }, user_id, mark, id) {
        const isFound = await inbox.mark({ tenant_id, school_id }, user_id, mark, id);
        if (isFound) signals.inbox.tell({ marked: { tenant_id, school_id, user_id, mark, id } });
        return isFound;
      },
      async markAll({ tenant_id, school_id }, user_id, mark) {
        const count = await inbox.markAll({ tenant_id, school_id }, user_id, mark);
        signals.inbox.tell({ marked: { tenant_id, school_id, user_id, mark, id: null } });
        return count;
      },
    },
    inboxSignals: signals.inbox.listen,
    eventWatch: { ...stores.eventWatch, listen: signals.events.listen },
    openChannels: new Set(['email', 'push', 'in_app']),
    hasTemplate: ({ channel }) => channel !== 'whatsapp',
    replyDomain: null,
    senders: {},
    smsSegments: async () => 2,
    async sampleMessage(of) {
      return sampleMessage(loadTexts(BUNDLE), of, { from: 'school@school.example' });
    },
    smsAllowance: { perDay: null, readUsed: async () => 0 },
    rates: { email: 10, sms: 1, push: 10, in_app: 100, whatsapp: 1 },
    links: {
      ...signedLinks(Buffer.from('a secret that signs links in tests')),
      place: (id) => `place-${id}`,
      readPlace: (token) => (token.startsWith('place-') ? token.slice('place-'.length) : null),
      readUnsubscribe: (token) =>
        token === 'good-token' ? { tenant_id: 't1', school_id: 's1', user_ids: ['eva'], channel: 'email' } : null,
    },
    completeCaller: (caller) => completeCaller(caller),
    twilioSignatureIsValid: (signature, url, params) => signature === `signed ${url} ${JSON.stringify(params)}`,
    providerCallback: async (report) => void news.push(report),
    smsReply: async (reply) => void news.push(reply),
    door: { codes: doorCodes(Buffer.from('a secret of the door')), opensMs: 3_600_000 },
    queueBoard: { plugin: (_app, _options, done) => done(), onChange: () => {} },
    bounceSecret: 'what the mail server shows, of 32 bytes',
    mailReport: async (raw) => {
      news.push(String(raw));
      return String(raw).includes('delivery-status');
    },
    isDatabaseAway: () => false,
    isUnavailable: (error) => error instanceof Error && error.name === 'Unavailable',
    ready: async () => ({ mongodb: 'ok', redis: 'ok' }),
  };

  const collection = (name: CollectionName) => database.collection<Record<string, unknown>>(name);
  const insert =
    <Row extends object>(name: CollectionName, more: (row: Row) => object = () => ({})) =>
    async (rows: Row[]) =>
      collection(name).insertMany(rows.map((row) => withoutId({ ...row, ...more(row) })) as never);
  function table<Row extends object>(
    name: CollectionName,
    put: (rows: Row[]) => Promise<unknown> = insert<Row>(name),
  ): Table<Row> {
    const all = async () => (await collection(name).find().toArray()).map((row) => recordOf(row as never));
    return Object.assign(all as () => Promise<Row[]>, {
      put: async (...rows: Row[]) => void (await put(rows)),
      set: async (change: Partial<Row>, id?: string) =>
        void (await collection(name).updateMany((id ? { _id: id } : {}) as never, { $set: change })),
      remove: async (matching: Partial<Row>) => void (await collection(name).deleteMany(matching as never)),
    });
  }
  const tables = {
    news,
    events: table<SchoolEvent>('events', (rows) => stores.transact((tx) => stores.events.insert(rows, tx))),
    registrations: table<Registration>('registrations', (rows) =>
      stores.transactOnce((tx) => stores.registrations.insertMany(rows, tx)),
    ),
    facts: table<Fact>('facts'),
    contacts: table<Contact>('contacts', (rows) => stores.contacts.putMany(rows)),
    schools: table<School>('schools', (rows) => Promise.all(rows.map((row) => stores.schools.put(row)))),
    preferences: table<Preferences>('preferences'),
    pushSubscriptions: table<PushSubscription>('push_subscriptions'),
    deliveries: table<Delivery>('deliveries', (rows) => stores.deliveries.insertMany(rows)),
    suppressions: table<Suppression & Scope>(
      'suppressions',
      insert('suppressions', ({ school_id }) => ({ schools: [school_id] })),
    ),
    inbox: table<StoredEntry>('deliveries', (rows) =>
      collection('deliveries').insertMany(
        rows.map((row) => ({ ...deliveryRowOf(row), arrived: arrivedAt(row.settled_at) })) as never,
      ),
    ),
    feeds: table<object>('feeds'),
    viewStarts: table<ViewStart>('view_starts'),
    replies: table<object>('replies'),
    ingested: table<{ superseded: boolean }>('ingested'),
  };
  return {
    deps,
    stores,
    tables,
    faults,
    now,
    signals,
    /** Everything in the database, as text. */
    dump: async () => JSON.stringify(await readAllRows(database)),
    /** Empties every collection without waiting for the journal, and sets the clock back. */
    async clean() {
      await clear(database);
      faults.transact = null;
      now.at = START;
      news.length = 0;
    },
  };
}

const withoutId = ({ id, ...row }: { id?: unknown }): object => (id === undefined ? row : { _id: id, ...row });

const arrivedAt = (at: Date) => new mongoose.mongo.Timestamp({ t: Math.floor(at.getTime() / 1000), i: 1 });

/** Delivers each message to all listeners synchronously. */
function channelOf<T>() {
  type Listener = { on: (message: T) => void; lost: (error: unknown) => void };
  const listeners = new Set<Listener>();
  return {
    tell: (message: T) => {
      for (const { on } of listeners) on(message);
    },
    lose: () => {
      for (const one of [...listeners]) {
        listeners.delete(one);
        one.lost(new Error('lost'));
      }
    },
    listeners,
    listen: async (on: Listener['on'], lost: Listener['lost']) => {
      const one = { on, lost };
      listeners.add(one);
      return async () => void listeners.delete(one);
    },
  };
}
