import { expect, test } from 'vitest';
import { groupBy } from '../../../src/core/groups.ts';
import { fromKeys } from '../../../src/core/objects.ts';
import { COLLECTION_NAMES, type CollectionName } from '../../../src/mongo/collections.ts';
import type { Database } from '../../../src/mongo/database.ts';
import { PERSON_FIELDS, type PersonFields } from '../../../src/mongo/privacy/person-fields.ts';
import { personTraces } from '../../../src/mongo/privacy/person-traces.ts';
import { SCOPE } from '../../support/builders.ts';
import { provideDatabase } from '../../support/database.ts';
import { differences } from './differences.ts';
import { dump, store } from './documents.ts';
import { CANARY, personEverywhere } from './person-everywhere.ts';

const GONE = { status: 404, headers: {}, body: 'gone' };

const database = await provideDatabase();

const erase = (user_id: string, { fields, on = database, scope = SCOPE }: Options = {}) =>
  personTraces(on, fields).erase(scope, user_id, { alias: 'erased-1', gone: GONE });
type Options = { fields?: PersonFields; on?: Database; scope?: typeof SCOPE };

/** The same id in another school or tenant is another person. */
const othersOf = (user_id: string) =>
  [
    { tenant_id: 't1', school_id: 's2' },
    { tenant_id: 't2', school_id: 's1' },
  ].map((scope) => personEverywhere(user_id, scope));

/** Every change that an erasure may make in the documents of `personEverywhere`. */
const CHANGES = [
  'acknowledgements/read-child.by',
  'acknowledgements/read-own removed',
  'contacts/c-child.guardians',
  'contacts/c-own removed',
  'deliveries added',
  'deliveries/canary-delivery removed',
  'deliveries/d-address.address',
  'deliveries/d-address.reason',
  'deliveries/d-address.settled_at',
  'deliveries/d-address.status',
  'deliveries/d-also-behalf.also',
  'deliveries/d-also.also',
  'deliveries/d-behalf.arrived',
  'deliveries/d-behalf.on_behalf_of',
  'deliveries/d-behalf.seen_at',
  'deliveries/d-behalf.title',
  'deliveries/d-given.address_owners',
  'deliveries/d-given.given_by',
  'event_templates/template.organizer.email',
  'event_templates/template.organizer.name',
  'event_templates/template.organizer_id',
  'event_templates/template.restricted_to.user_ids',
  'event_templates/template.slots.hosts',
  'events/event-1.created_by',
  'events/event-1.organizer.email',
  'events/event-1.organizer.name',
  'events/event-1.organizer_id',
  'events/event-1.origin.source',
  'events/event-1.restricted_to.user_ids',
  'events/event-1.slots.hosts',
  'events/event-1.terms',
  'events/event-1.version',
  'events/event-2.restricted_to.user_ids',
  'events/event-2.terms',
  'events/event-2.version',
  'facts/f-actor.actor.user_id',
  'facts/f-answer.data.email',
  'facts/f-answer.data.name',
  'facts/f-answer.data.text',
  'facts/f-answer.data.user_id',
  'facts/f-data.data.reason',
  'facts/f-data.data.user_id',
  'facts/f-reveal.data.delivery_id',
  'feeds/feed-mother.children',
  'feeds/feed-own removed',
  'held_changes/held.facts',
  'ingested/in-1.source',
  'messages/message-1.created_by',
  'messages/message-1.reply_to.email',
  'messages/message-1.reply_to.name',
  'preferences/p-own removed',
  'push_subscriptions/push-own removed',
  'registrations/r-child.answers',
  'registrations/r-child.contact.email',
  'registrations/r-child.contact.phone',
  'registrations/r-child.registered_by',
  'registrations/r-child.slots',
  'registrations/r-deleted.active',
  'registrations/r-deleted.answers',
  'registrations/r-deleted.status',
  'registrations/r-deleted.user_id',
  'registrations/r-own.answers',
  'registrations/r-own.cancel_reason',
  'registrations/r-own.contact',
  'registrations/r-own.notes',
  'registrations/r-own.user_id',
  'registrations/r-past.answers',
  'registrations/r-past.notes',
  'registrations/r-past.user_id',
  'replies/reply-list.reply.body',
  'replies/reply-list.reply.status',
  'replies/reply-own.reply.body',
  'replies/reply-own.reply.status',
  'signals/s-arrived removed',
  'signals/s-marked removed',
  'suppressions/canary-suppression removed',
  'view_starts/view-as removed',
  'view_starts/view-by.by',
  'webhook_attempts/a-own.body',
  'webhook_attempts/a-own.user_id',
];

test.each(['canary-user', 't1', 'email', '$user_id', '[.*"\\]'])(
  'erases a person with the user id %s, and changes nothing but fields of the person',
  async (user_id) => {
    await store(database, personEverywhere(user_id), ...othersOf(user_id));
    const before = await dump(database);
    await erase(user_id);
    expect(differences(before, await dump(database))).toEqual(CHANGES);
    const left = await database.collection('deliveries').findOne({ user_id: 'erased-1', ...SCOPE } as never);
    const fact = await database.collection('facts').findOne({ _id: 'f-reveal' } as never);
    expect(fact).toMatchObject({ data: { delivery_id: left?._id } });
  },
);

const KINDS = [
  ...['contacts', 'preferences', 'view_starts', 'push_subscriptions', 'feeds', 'acknowledgements'],
  ...['registrations', 'deliveries', 'facts', 'suppressions'],
];
const LEFT_OUT = ['keys', 'digest', 'words', 'addresses', 'also', 'given_by', 'address_owners', 'claim', 'actor'];

test('an export holds what a school has about a person, without keys and without the data of others', async () => {
  const address = `${CANARY}@people.example`;
  const suppressions = [
    { _id: 'of a tenant', tenant_id: 't2', schools: ['s1'], address, channel: 'push' },
    { _id: 'of a school', tenant_id: 't1', schools: ['s2'], address, channel: 'push' },
  ];
  await store(database, personEverywhere('canary-user'), ...othersOf('canary-user'), { suppressions });
  const ofOthers = { also: ['mother'], given_by: 'mother', address_owners: ['mother'] };
  await database.collection('deliveries').updateMany({ user_id: 'canary-user' }, { $set: ofOthers as never });
  const records = await personTraces(database).read(SCOPE, 'canary-user');
  const counts = Object.entries(records).map(([kind, rows]) => [kind, rows.length]);
  expect(Object.fromEntries(counts)).toEqual({ ...fromKeys(KINDS, () => 1), registrations: 3 });
  const [exported, stored] = [JSON.stringify(records), JSON.stringify([...(await dump(database))])];
  const found = (text: string) => LEFT_OUT.filter((name) => text.includes(`"${name}":`));
  expect([found(exported), found(stored)]).toEqual([[], LEFT_OUT]);
});

/** Stores the person in every place of a tenant. */
function everywhere(tenant_id: string) {
  const scope = { tenant_id, school_id: 's1' };
  const { marks: _, replies = [], preferences = [], ...docs } = personEverywhere('canary-user', scope);
  // An equal value in a field of another meaning does not belong to the person.
  return { scope, docs: { ...docs, replies: replies.slice(0, 2), preferences: preferences.slice(0, 1) } };
}

const tenantOf = (row: object) => /"tenant_id":"([^"]+)"/.exec(JSON.stringify(row))?.[1] ?? '';

/** Documents that contain a word of the person. */
async function leftovers(): Promise<[string, object][]> {
  return [...(await dump(database))].filter(([, row]) => JSON.stringify(row).toLowerCase().includes(CANARY));
}

test('leaves no word of the person anywhere', async () => {
  const { scope, docs } = everywhere('t-1');
  await store(database, docs);
  expect((await leftovers()).length).toBeGreaterThan(25);
  await erase('canary-user', { scope });
  expect(await leftovers()).toEqual([]);
});

/** The fields that the table erases in each collection; those that are cleared as one object are one entry. */
const ENTRIES = COLLECTION_NAMES.map((name) => {
  const paths = Object.entries(PERSON_FIELDS[name]).flatMap(([path, treatment]) => {
    if (typeof treatment !== 'object' || !('id' in treatment || 'of' in treatment)) return [];
    return [{ path, entry: ('whole' in treatment && treatment.whole) || path }];
  });
  return { name, entries: groupBy(paths, ({ entry }) => entry).map((group) => group.map(({ path }) => path)) };
});

/** The table without one entry of each collection. */
const tableWithout = (n: number) =>
  Object.fromEntries(
    ENTRIES.map(({ name, entries }) => {
      const without = Object.fromEntries((entries[n] ?? []).map((path) => [path, 'none']));
      return [name, { ...PERSON_FIELDS[name], ...without }];
    }),
  ) as PersonFields;

test('leaves a word of the person in a collection if any of its entries is missing', async () => {
  const most = Math.max(...ENTRIES.map(({ entries }) => entries.length));
  await Promise.all(
    Array.from({ length: most }, async (_, n) => {
      const { scope, docs } = everywhere(`t-${n}`);
      await store(database, docs);
      await erase('canary-user', { fields: tableWithout(n), scope });
    }),
  );
  const left = new Set((await leftovers()).map(([key, row]) => `${key.split('/')[0]} ${tenantOf(row)}`));
  const needed = ENTRIES.flatMap(({ name, entries }) => entries.map((paths, n) => ({ name, n, paths })));
  expect(needed.length).toBeGreaterThan(30);
  expect(needed.filter(({ name, n }) => !left.has(`${name} t-${n}`))).toEqual([]);
});

test('a repeat after a crash at any moment has the same result', async () => {
  /** @returns how many writes the erasure asked for */
  const eraseAfterCrash = async (at: number) => {
    const { scope, docs } = everywhere(`t-${at}`);
    await store(database, docs);
    const crashing = crashingAt(at);
    const crashed = erase('canary-user', { scope, on: crashing.database });
    if (at === Number.POSITIVE_INFINITY) await crashed;
    else await expect(crashed).rejects.toThrow('crashed');
    await erase('canary-user', { scope });
    return crashing.asked();
  };
  const writes = await eraseAfterCrash(Number.POSITIVE_INFINITY);
  expect(writes).toBeGreaterThan(20);
  await Promise.all(Array.from({ length: writes }, (_, n) => eraseAfterCrash(n + 1)));
  expect(await leftovers()).toEqual([]);
  // Messages have new ids.
  const kept = [...(await dump(database))].filter(([key]) => !key.startsWith('deliveries/'));
  const ends = groupBy(kept, ([, row]) => tenantOf(row)).map((rows) =>
    rows.map(([key, row]) => key.replace(`-${tenantOf(row)}-`, '-')).sort(),
  );
  expect(ends).toHaveLength(writes + 1);
  for (const end of ends) expect(end).toEqual(ends[0]);
});

/** Reads change nothing, so a crash before one leaves what a crash before the next write leaves. */
const WRITE = /^(insert|update|replace|delete|bulkWrite|findOneAnd)/;

/** A database that fails from the given write on. */
function crashingAt(write: number): { database: Database; asked(): number } {
  let asked = 0;
  const collection = (name: CollectionName) =>
    new Proxy(database.collection(name), {
      get(target, method) {
        const value = Reflect.get(target, method);
        if (typeof value !== 'function' || !WRITE.test(String(method))) return value?.bind?.(target) ?? value;
        return (...args: unknown[]) => {
          asked += 1;
          if (asked >= write) throw new Error('crashed');
          return value.apply(target, args);
        };
      },
    });
  return { database: { ...database, collection } as Database, asked: () => asked };
}
