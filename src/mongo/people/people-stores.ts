import { hashOf } from '../../core/ids.ts';
import { createLoader } from '../../core/micro-batch.ts';
import { fromKeys } from '../../core/objects.ts';
import { searchWords } from '../../core/plain-text.ts';
import { GROUP_LISTS, type Scope, scopeKey, scopeOf } from '../../people/caller.ts';
import { addressesOf, type Contact } from '../../people/contact.ts';
import type { AudienceFilter, ContactStore, PushSubscription, PushSubscriptionStore } from '../../people/ports.ts';
import type { PreferenceStore } from '../../people/preferences.ts';
import { BROWSERS_PER_PERSON } from '../../people/push-endpoint.ts';
import { type SchoolStore, unnamedSchool } from '../../people/school.ts';
import type { ViewStartStore } from '../../people/view-as.ts';
import type { Database } from '../database.ts';
import { bounds, type Collection, exists, findIds, findRangeEnds, insertMissing, recordsOf, rowOf } from '../rows.ts';

/** Leaves out what only queries need, because a fan-out reads hundreds of thousands of rows. */
const PLAIN = { projection: { _id: 0, words: 0, addresses: 0 } } as const;

const TIES = { _id: 0, user_id: 1, left_at: 1, guardians: 1 } as const;

/** Matches people who have not left. */
const PRESENT = { left_at: null } as const;
const LEFT = { left_at: { $ne: null } } as const;

/** The ids of the rows of people, derived from the school and the person, so that upserts filter by `_id`. */
const personIds = (scope: Scope, user_ids: readonly string[]): string[] =>
  user_ids.map((user_id) => scopeKey(scope, user_id));

/** Reads the rows of these people. */
const findOfPeople = async <Row>(
  rows: Collection<Row>,
  scope: Scope,
  user_ids: readonly string[],
  options: Parameters<typeof rows.find>[1],
) => (user_ids.length > 0 ? rows.find({ _id: { $in: personIds(scope, user_ids) } }, options).toArray() : []);

export function contactStore(database: Database): ContactStore {
  const rows = database.collection('contacts');
  return {
    find: (scope, user_id) => rows.findOne({ _id: scopeKey(scope, user_id) }, PLAIN),
    findMany: (scope, user_ids) => findOfPeople(rows, scope, user_ids, PLAIN),
    findTies: (scope, user_ids) => findOfPeople(rows, scope, user_ids, { projection: TIES }),
    findByAddresses: (scope, addresses) =>
      rows.find({ ...scopeOf(scope), addresses: { $in: addresses } }, PLAIN).toArray(),
    async findPresent({ tenant_id, school_id, address }) {
      // The index by address begins with tenant and school.
      const schools = school_id === null ? await rows.distinct('school_id', { tenant_id }) : [school_id];
      return rows.find({ tenant_id, school_id: { $in: schools }, addresses: address, ...PRESENT }, PLAIN).toArray();
    },
    findChildren: (scope, guardian_ids) =>
      rows.find({ ...scopeOf(scope), guardians: { $in: guardian_ids }, ...PRESENT }, PLAIN).toArray(),
    findPage(scope, { after, until }, limit, audience) {
      const filter = { ...audienceFilter(scope, audience), ...PRESENT, ...bounds('user_id', after, until) };
      return rows.find(filter, PLAIN).sort({ user_id: 1 }).limit(limit).toArray();
    },
    findRangeEnds: (scope, after, size, audience) =>
      findRangeEnds(rows, { filter: audienceFilter(scope, audience), key: 'user_id' }, after, size),
    async putMany(contacts, { upsert } = { upsert: true }) {
      const unlessLater = (contact: Contact) => (upsert ? {} : { updated_at: { $lte: contact.updated_at } });
      const replacements = contacts.map((contact) => ({
        replaceOne: {
          filter: { _id: scopeKey(contact, contact.user_id), ...unlessLater(contact) },
          replacement: { ...contact, words: searchWords(contact.name), addresses: addressesOf(contact) },
          upsert,
        },
      }));
      if (replacements.length === 0) return { inserted: 0, replaced: 0 };
      const result = await rows.bulkWrite(replacements, { ordered: false });
      return { inserted: result.upsertedCount, replaced: result.matchedCount };
    },
    async search(scope, { words, user_ids, role, class_id, guardian_id, left, after, limit }) {
      const parts = [
        scopeOf(scope),
        ...words.map((word) => ({ words: { $regex: `^${word}` } })),
        ...(user_ids ? [{ _id: { $in: personIds(scope, user_ids) } }] : []),
        ...(role ? [{ roles: role }] : []),
        ...(class_id ? [{ class_ids: class_id }] : []),
        ...(guardian_id ? [{ guardians: guardian_id }] : []),
        ...(left === undefined ? [] : [left ? LEFT : PRESENT]),
        ...(after ? [{ $or: [{ name: { $gt: after.at } }, { name: after.at, user_id: { $gt: after.id } }] }] : []),
      ];
      return rows.find({ $and: parts }, PLAIN).sort({ name: 1, user_id: 1 }).limit(limit).toArray();
    },
    listAll: (scope) => rows.find(scopeOf(scope), PLAIN).toArray(),
    async countGroups(scope) {
      const counted = fromKeys(GROUP_LISTS, (kind) => [
        { $unwind: `$${kind}` },
        { $sortByCount: `$${kind}` },
        { $project: { _id: 0, id: '$_id', people: '$count' } },
      ]);
      const stages = [
        { $match: { ...scopeOf(scope), ...PRESENT } },
        { $project: fromKeys(GROUP_LISTS, () => 1) },
        { $facet: counted },
      ];
      const [groups] = await rows.aggregate<Awaited<ReturnType<ContactStore['countGroups']>>>(stages).toArray();
      return groups ?? fromKeys(GROUP_LISTS, () => []);
    },
  };
}

const audienceFilter = (scope: Scope, { roles }: AudienceFilter) => ({
  ...scopeOf(scope),
  ...(roles ? { roles: { $in: roles } } : {}),
});

export function schoolStore(database: Database): SchoolStore {
  const rows = database.collection('schools');
  const load = createLoader(scopeKey, async (scope: Scope) => {
    const row = await rows.findOne(scope, { projection: { _id: 0 } });
    return () => (row ? { ...row } : unnamedSchool(scope));
  });
  return {
    find: (scope) => load(scopeOf(scope), null),
    async put(school, ifMatch) {
      const _id = scopeKey(school);
      // Settings that were never saved have the time 0.
      if (ifMatch === 0) return (await insertMissing(rows, [{ _id, ...school }])).length === 0;
      const known = ifMatch === undefined ? {} : { updated_at: new Date(ifMatch) };
      const done = await rows.replaceOne({ _id, ...known }, school, { upsert: ifMatch === undefined });
      return done.matchedCount + done.upsertedCount > 0;
    },
  };
}

export function preferenceStore(database: Database): PreferenceStore {
  const rows = database.collection('preferences');
  const contacts = database.collection('contacts');
  const registrations = database.collection('registrations');
  const plain = { projection: { _id: 0 as const } };
  return {
    find: (scope, user_id) => rows.findOne({ _id: scopeKey(scope, user_id) }, plain),
    findMany: (scope, user_ids) => findOfPeople(rows, scope, user_ids, plain),
    async put(preferences) {
      const _id = scopeKey(preferences, preferences.user_id);
      await rows.replaceOne({ _id }, preferences, { upsert: true });
    },
    async addOptOut(scope, user_id, wish) {
      // The link in an old message must not bring back a person who was erased.
      const _id = scopeKey(scope, user_id);
      const isKnown =
        (await exists(contacts, { _id })) || (await exists(registrations, { ...scopeOf(scope), user_id }));
      if (!isKnown) return;
      await rows.updateOne(
        { _id },
        {
          $addToSet: { opted_out: wish },
          $currentDate: { updated_at: true },
          $setOnInsert: { ...scopeOf(scope), user_id, locale: null },
        },
        { upsert: true },
      );
    },
  };
}

export function pushSubscriptionStore(database: Database): PushSubscriptionStore {
  const rows = database.collection('push_subscriptions');
  return {
    async put(subscription) {
      const { _id, ...rest } = rowOf(subscription);
      const { user_id, endpoint } = subscription;
      await rows.updateOne({ endpoint }, { $set: rest, $setOnInsert: { _id } }, { upsert: true });
      const newest = { sort: { created_at: -1, _id: -1 }, skip: BROWSERS_PER_PERSON } as const;
      const surplus = await findIds(rows, { ...scopeOf(subscription), user_id }, newest);
      if (surplus.length > 0) await rows.deleteMany({ _id: { $in: surplus } });
    },
    async findMany(scope, user_ids) {
      if (user_ids.length === 0) return [];
      return recordsOf<PushSubscription>(rows.find({ ...scopeOf(scope), user_id: { $in: user_ids } }));
    },
    async removeByEndpoint(endpoint) {
      await rows.deleteOne({ endpoint });
    },
    async remove(scope, user_id, endpoint) {
      return (await rows.deleteOne({ ...scopeOf(scope), user_id, endpoint })).deletedCount === 1;
    },
  };
}

export function viewStartStore(database: Database): ViewStartStore {
  const rows = database.collection('view_starts');
  return {
    async record(start, session) {
      const { tenant_id, school_id, by, role, user_id } = start;
      const _id = hashOf(tenant_id, school_id, by, role ?? '', user_id ?? '', session);
      await insertMissing(rows, [{ _id, ...start }]);
    },
    async listOfPerson(scope, user_id, limit) {
      const found = rows.find({ ...scopeOf(scope), user_id }, { projection: { _id: 0 } });
      return found.sort({ at: -1 }).limit(limit).toArray();
    },
  };
}
