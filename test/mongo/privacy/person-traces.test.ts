import { expect, onTestFinished, test, vi } from 'vitest';
import type { CollectionName } from '../../../src/mongo/collections.ts';
import type { Database } from '../../../src/mongo/database.ts';
import { eventRowOf } from '../../../src/mongo/events/event-row.ts';
import { IN_INBOX } from '../../../src/mongo/notifications/delivery-row.ts';
import { deliveryStore } from '../../../src/mongo/notifications/delivery-store.ts';
import { contactStore } from '../../../src/mongo/people/people-stores.ts';
import { personTraces } from '../../../src/mongo/privacy/person-traces.ts';
import { rowOf } from '../../../src/mongo/rows.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { erasePerson } from '../../../src/privacy/person-data.ts';
import { aCaller, aContact, anEvent, aRegistration, SCOPE } from '../../support/builders.ts';
import { provideDatabase } from '../../support/database.ts';
import { aDelivery, anEntry } from '../../support/message-builders.ts';

const EVENTS = 600;
const GONE = { status: 404, headers: {}, body: 'gone' };
const registrar = aCaller({ user_id: 'office', permissions: ['events.contacts.manage'] });

const database = await provideDatabase();

/** The same database with a counter of its commands. */
function counting(): { database: Database; asked: () => number } {
  let asked = 0;
  const collection = (name: CollectionName) =>
    new Proxy(database.collection(name), {
      get(target, method) {
        const value = Reflect.get(target, method);
        if (typeof value !== 'function') return value;
        asked += 1;
        return value.bind(target);
      },
    });
  return { database: { ...database, collection } as Database, asked: () => asked };
}

const insert = (name: CollectionName, rows: readonly object[]) => database.collection(name).insertMany(rows as never);
/** @param traces of another database than that of these tests */
const erase = (user_id: string, traces = personTraces(database)) =>
  erasePerson({ traces, endRegistration: async () => {} }, registrar, { user_id, gone: GONE });
const ids = Array.from({ length: EVENTS }, (_, n) => `event-${n}`);
const places = ['user_id', 'actor.user_id', 'data.user_id', 'organizer_id', 'created_by', 'registered_by'];

test('erases a person in very many events with few commands and changes nothing of others', async () => {
  const who = (n: number) => (n % 3 === 0 ? 'other' : 'ada');
  await insert('contacts', [{ _id: 'c', ...SCOPE, user_id: 'ada', guardians: [], email: 'ada@x.example' }]);
  await insert(
    'events',
    ids.map((id, n) => eventRowOf(anEvent({ id, organizer_id: who(n), created_by: who(n) }))),
  );
  await insert(
    'registrations',
    ids.map((id, n) => rowOf(aRegistration({ id: `r-${n}`, event_id: id, user_id: who(n), registered_by: who(n) }))),
  );
  for (const channel of ['email', 'push'] as const)
    await insert(
      'deliveries',
      ids.map((id, n) => rowOf(aDelivery({ id: `${channel}-${n}`, event_id: id, user_id: who(n), channel }))),
    );
  await insert(
    'facts',
    ids.map((event_id, n) => ({ _id: `f-${n}`, ...SCOPE, event_id, actor: { user_id: who(n) }, data: {} })),
  );

  const { database: counted, asked } = counting();
  const traces = personTraces(counted);
  const erased = await erase('ada', traces);

  const theirs = ids.filter((_, n) => who(n) === 'ada').length;
  expect(erased).toMatchObject({ events: theirs, deliveries: 2 * theirs, registrations: theirs, facts: theirs });
  expect(asked()).toBeLessThan(120);
  for (const name of ['events', 'registrations', 'deliveries', 'facts'] as const) {
    const rows = database.collection(name);
    const naming = (user_id: string) => ({ $or: places.map((field) => ({ [field]: user_id })) }) as never;
    expect(await rows.countDocuments(naming('ada')), name).toBe(0);
    const all = name === 'deliveries' ? 2 * EVENTS : EVENTS;
    expect(await rows.countDocuments({} as never), name).toBe(all);
    expect(await rows.countDocuments(naming('other')), name).toBe(name === 'deliveries' ? 400 : 200);
  }
  expect(await erase('ada', traces)).toEqual({});
});

test('erases rows that a running fan-out stores during the erasure, also seconds later', async () => {
  const event_id = 'late-event';
  await insert('contacts', [{ _id: 'late', ...SCOPE, user_id: 'late', guardians: [], email: 'late@x.example' }]);
  await insert('events', [eventRowOf(anEvent({ id: event_id }))]);
  await insert('facts', [{ _id: 'at-work', ...SCOPE, event_id, actor: null, data: {}, relay: 'handed_on' }]);
  let stored = false;
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  // The last collection before the fan-out ends: the rows of the event were searched earlier.
  const late = async () => {
    stored = true;
    await insert('deliveries', [rowOf(aDelivery({ id: 'late-row', event_id, user_id: 'late' }))]);
    await insert('deliveries', [rowOf(anEntry({ id: 'late-entry', event_id, user_id: 'late' }))]);
    await database.collection('facts').updateOne({ _id: 'at-work' } as never, { $unset: { relay: 1 } } as never);
  };
  const collection = (name: CollectionName) =>
    new Proxy(database.collection(name), {
      get(target, method) {
        const value = Reflect.get(target, method);
        if (typeof value !== 'function') return value;
        if (name === 'facts' && method === 'findOne' && !stored) {
          if (Date.now() >= began + 5_000)
            return (...asked: unknown[]) => late().then(() => value.apply(target, asked));
          vi.setSystemTime(began + 5_000);
        }
        return value.bind(target);
      },
    });
  const began = Date.now();
  await erase('late', personTraces({ ...database, collection } as Database));
  expect(stored).toBe(true);
  const left = { user_id: 'late' } as never;
  expect(await database.collection('deliveries').countDocuments(left)).toBe(0);
  expect(await database.collection('deliveries').countDocuments({ event_id } as never)).toBe(2);
  expect(await database.collection('deliveries').countDocuments({ event_id, ...IN_INBOX } as never)).toBe(0);
});

test('gives a waiting message of an erased person to the next reader of its address', async () => {
  const event_id = 'shared-event';
  const shared = { event_id, user_id: 'petra', name: 'Petra', address: 'novakovi@x.example' };
  const tom = { user_id: 'tom', name: 'Tom' };
  const eva = { user_id: 'eva', name: 'Eva', on_behalf_of: [] };
  const also = [{ user_id: 'jan', name: 'Jan', on_behalf_of: [tom] }, eva];
  await insert('events', [eventRowOf(anEvent({ id: event_id }))]);
  await insert('deliveries', [
    rowOf(aDelivery({ ...shared, id: 'shared-waiting', also })),
    rowOf(aDelivery({ ...shared, id: 'shared-sent', also, status: 'sent' })),
    rowOf(aDelivery({ ...shared, id: 'alone-waiting', also: [] })),
  ]);
  await personTraces(database).erase(SCOPE, 'petra', { alias: 'erased-2', gone: GONE });
  const left = await database.collection('deliveries').find({ event_id }).sort({ user_id: -1, status: 1 }).toArray();
  const ofJan = { user_id: 'jan', name: 'Jan', on_behalf_of: [tom], also: [eva] };
  expect(left).toMatchObject([
    { ...ofJan, _id: 'shared-waiting', address: 'novakovi@x.example', status: 'waiting' },
    { user_id: 'erased-2', name: '', status: 'sent' },
    { user_id: 'erased-2', name: '', status: 'skipped', reason: 'erased' },
  ]);
});

test('no worker sends a passed-on message as it read or leased it before the erasure', async () => {
  const event_id = 'read-before';
  const also = [{ user_id: 'jan', name: 'Jan', on_behalf_of: [] }];
  const store = deliveryStore(database);
  const rows = ['read', 'leased', 'sending'].map((id) =>
    aDelivery({ id, event_id, user_id: 'petra', address: 'novakovi@x.example', also }),
  );
  const [read, ...others] = rows as [Delivery, Delivery, Delivery];
  const [leased, sending] = others.map((row) => ({ ...row, fence: 1 })) as [Delivery, Delivery];
  await insert('events', [eventRowOf(anEvent({ id: event_id }))]);
  await store.insertMany(rows);
  await store.lease(others, 'one', 60_000);
  await store.markSending([sending], 'one', 60_000);
  await personTraces(database).erase(SCOPE, 'petra', { alias: 'erased-3', gone: GONE });
  expect(await store.lease([read], 'two', 60_000)).toEqual([]);
  expect(await store.markSending([leased], 'one', 60_000)).toEqual([]);
  // The callbacks of a message that is being sent name its fence.
  expect(await store.find('sending')).toMatchObject({ user_id: 'jan', status: 'sending', fence: 1 });
});

test('erases a bounced address that was corrected later, unless another person has it in any spelling', async () => {
  const event_id = 'moved-event';
  const contactOf = (user_id: string, email: string) => aContact(user_id, { email });
  const elsewhere = { ...contactOf('elsewhere', 'old@x.example'), tenant_id: 'another' };
  await contactStore(database).putMany([
    contactOf('moved', 'new@x.example'),
    contactOf('stays', 'Shared@X.example'),
    elsewhere,
  ]);
  await insert('events', [eventRowOf(anEvent({ id: event_id }))]);
  for (const [n, address] of ['Old@x.example', 'shared@x.example'].entries())
    await insert('deliveries', [
      rowOf(aDelivery({ id: `moved-${n}`, event_id, user_id: 'moved', address, status: 'failed' })),
    ]);
  const barred = ['old@x.example', 'shared@x.example'].map((address) => ({ _id: address, ...SCOPE, address }));
  await insert('suppressions', [...barred, { _id: 'elsewhere', tenant_id: 'another', address: 'old@x.example' }]);
  await erase('moved');
  const left = await database.collection('suppressions').find({}).toArray();
  expect(left.map(({ _id }) => String(_id))).toEqual(['shared@x.example', 'elsewhere']);
});

test('takes an address of the directory out of the registration of a child in any spelling, and no other one', async () => {
  const event_id = 'spelled-event';
  const phone = '+420601000777';
  await contactStore(database).putMany([
    aContact('spells', { email: 'spells@x.example', phone }),
    aContact('shares', { phone }),
  ]);
  await insert('events', [eventRowOf(anEvent({ id: event_id }))]);
  const registered = ['Spells@X.example', 'spells@x.example.org'].map((email, n) =>
    aRegistration({ id: `of-child-${n}`, event_id, user_id: 'child', contact: { email, phone } }),
  );
  await insert('registrations', registered.map(rowOf));
  await erase('spells');
  const left = await database.collection('registrations').find({ event_id }).toArray();
  // The telephone is also that of another person.
  expect(left.map(({ contact }) => contact)).toEqual([
    { email: null, phone },
    { email: 'spells@x.example.org', phone },
  ]);
});

test('keeps the complaint of a stranger whose address the erased person had entered', async () => {
  const event_id = 'entered-event';
  const address = 'stranger@x.example';
  await insert('events', [eventRowOf(anEvent({ id: event_id }))]);
  await insert('registrations', [
    { _id: 'entered', ...SCOPE, event_id, user_id: 'enters', contact: { email: address } },
  ]);
  const given = { id: 'entered', event_id, user_id: 'enters', given_by: 'enters', address };
  await insert('deliveries', [rowOf(aDelivery({ ...given, status: 'sent' }))]);
  await insert('suppressions', [{ _id: address, ...SCOPE, address, kind: 'complained' }]);
  await erase('enters');
  expect(await database.collection('suppressions').countDocuments({ address } as never)).toBe(1);
  expect(await database.collection('registrations').countDocuments({ user_id: 'enters' } as never)).toBe(0);
});

test('ends only registrations for events that are neither deleted nor over', async () => {
  const events = [
    anEvent({ id: 'ends-deleted', deleted_at: new Date(0) }),
    anEvent({ id: 'ends-completed', status: 'completed' }),
    anEvent({ id: 'ends-cancelled', status: 'cancelled' }),
    anEvent({ id: 'ends-ahead', status: 'published' }),
  ];
  await insert('events', events.map(eventRowOf));
  const registered = events.map(({ id }) => aRegistration({ id: `r-${id}`, event_id: id, user_id: 'ends' }));
  await insert(
    'registrations',
    registered.map((one) => ({ ...rowOf(one), active: true })),
  );
  expect(await personTraces(database).findActiveRegistrations(SCOPE, 'ends')).toEqual(['r-ends-ahead']);
});

test('leaves a place that was taken meanwhile to the person, so that the next round gives it to the waitlist', async () => {
  await insert('events', [eventRowOf(anEvent({ id: 'taken-event', status: 'published' }))]);
  const taken = aRegistration({ id: 'taken', event_id: 'taken-event', user_id: 'takes' });
  await insert('registrations', [{ ...rowOf(taken), active: true }]);
  const traces = personTraces(database);
  await traces.erase(SCOPE, 'takes', { alias: 'erased-4', gone: GONE });
  expect(await traces.findActiveRegistrations(SCOPE, 'takes')).toEqual(['taken']);
});

test('erases the messages of the school to a person', async () => {
  await insert('messages', [{ _id: 'school-message', ...SCOPE }]);
  await insert('deliveries', [rowOf(aDelivery({ id: 'of-school', event_id: 'school-message', user_id: 'reads' }))]);
  await insert('facts', [{ _id: 'f-school', ...SCOPE, event_id: 'school-message', data: { user_id: 'reads' } }]);
  expect(await erase('reads')).toEqual({ deliveries: 1, facts: 1 });
  for (const [name, field] of [
    ['deliveries', 'user_id'],
    ['facts', 'data.user_id'],
  ] as const)
    expect(await database.collection(name).countDocuments({ [field]: 'reads' } as never), name).toBe(0);
});
