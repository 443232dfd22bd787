import { setTimeout as delay } from 'node:timers/promises';
import { batchesOf, chunksOf } from '../../core/groups.ts';
import { newId } from '../../core/ids.ts';
import { fromKeys } from '../../core/objects.ts';
import type { EventStatus } from '../../events/event.ts';
import { isOpen } from '../../notifications/delivery.ts';
import { type Scope, scopeOf } from '../../people/caller.ts';
import type { PersonRecords, PersonTraces } from '../../privacy/person-data.ts';
import { isOver } from '../../registrations/allowed.ts';
import type { CollectionName } from '../collections.ts';
import type { Database } from '../database.ts';
import { ENTRY_FIELDS } from '../notifications/delivery-row.ts';
import { exists, type Filter, findIds, inTx } from '../rows.ts';
import { UNFINISHED } from '../stored-rows.ts';
import {
  findAddresses,
  passOnMessages,
  readSuppressions,
  removeFromOthers,
  removeSuppressions,
} from './person-addresses.ts';
import { PERSON_FIELDS, type PersonFields, UNSET } from './person-fields.ts';
import { replaceReplies } from './person-replies.ts';
import { clearedWith, idFields, ownedBy, queried, updateOf } from './person-updates.ts';

type Doc = { _id: string; [field: string]: unknown };
/** `ahead`: neither deleted nor over. */
type EventIds = { ids: string[]; deleted: string[]; ahead: string[] };

/** Events per batch. */
const EVENTS = 200;
/** Deliveries that get a new id in one transaction. */
const ROWS = 500;
/** Collections that are found by event, the facts before the bodies that are made of them; the others by school. */
const BY_EVENT: ReadonlySet<CollectionName> = new Set([
  'deliveries',
  'registrations',
  'facts',
  'ingested',
  'acknowledgements',
  'webhook_attempts',
]);

/** How long a fan-out may take to store deliveries for the people it had already read; several facts share its process. */
const STORED_WITHIN_MS = 10_000;
const CHECK_EVERY_MS = 50;

/**
 * Finds and erases people by the fields of the table.
 * @param fields for tests: a table with a defect
 */
export function personTraces(database: Database, fields: PersonFields = PERSON_FIELDS): PersonTraces {
  const rows = docsOf(database);
  const idsIn = idFields(fields);
  const replyFields = new Set(idsIn.map(({ path }) => queried(path).split('.').at(-1) ?? ''));

  /** All events of a school in batches, including deleted ones, and its messages, which deliveries and facts name alike. */
  async function* eventsOf(scope: Scope): AsyncGenerator<EventIds> {
    for (const name of ['events', 'messages'] as const) {
      const found = rows(name).find(scopeOf(scope), { projection: { deleted_at: 1, status: 1 } });
      for await (const some of batchesOf(found, EVENTS)) {
        const deleted = some.filter(({ deleted_at }) => deleted_at);
        const ahead = some.filter(({ deleted_at, status }) => !deleted_at && !isOver(status as EventStatus));
        yield { ids: some.map(idOf), deleted: deleted.map(idOf), ahead: ahead.map(idOf) };
      }
    }
  }

  return {
    read: (scope, user_id) => readRecords(database, scope, user_id),

    async findActiveRegistrations(scope, user_id) {
      const active: string[] = [];
      for await (const { ahead } of eventsOf(scope)) {
        const filter = { ...scopeOf(scope), event_id: { $in: ahead }, user_id, active: true };
        active.push(...(await findIds(rows('registrations'), filter)));
      }
      return active;
    },

    async erase(scope, user_id, { alias, gone }) {
      const own = { ...scopeOf(scope), user_id };
      const counts: Record<string, number> = {};
      const count = (kind: string, more: number) => {
        if (more > 0) counts[kind] = (counts[kind] ?? 0) + more;
      };

      const removeOwn = async () => {
        for (const { id, name, path } of idsIn)
          if (id === 'remove') count(name, (await rows(name).deleteMany(ownedBy(path, own))).deletedCount);
      };

      /** Removes the person from the matching documents of a collection. */
      const eraseIn = async (name: CollectionName, within: object) => {
        const places = idsIn.filter((place) => place.name === name && place.id !== 'remove');
        if (places.length === 0) return;
        const naming = { ...within, $or: places.map(({ path }) => ({ [queried(path)]: user_id })) };
        const ids = await findIds(rows(name), naming);
        if (ids.length === 0) return;
        count(name, ids.length);
        if (name === 'deliveries') {
          // Without its text a delivery leaves the inbox; that of a guardian names the child.
          await rows(name).updateMany({ _id: { $in: ids } }, [{ $unset: ENTRY_FIELDS }]);
          await passOnMessages(database, { _id: { $in: ids }, user_id });
        }
        const updates = places.filter(({ id }) => id !== 'rekey');
        await rows(name).bulkWrite(
          updates.map((place) => updateOf(fields, place, { _id: { $in: ids }, ...within }, { user_id, alias })),
        );
        for (const place of places.filter(({ id }) => id === 'rekey'))
          for (const some of chunksOf(ids, ROWS))
            await rekeyDeliveries(database, { ...own, _id: { $in: some } }, alias, clearedWith(fields, place));
      };

      const eraseInEvents = async ({ ids, deleted, ahead }: EventIds) => {
        const within = { ...scopeOf(scope), event_id: { $in: ids } };
        // Registrations of deleted events hold no seats, and nothing else ends them.
        const ended = { ...own, event_id: { $in: deleted }, active: true };
        await rows('registrations').updateMany(ended, { $set: { active: false, status: 'cancelled' } });
        // A registration made meanwhile holds a seat, which the next round gives to the waitlist.
        const made = { user_id, active: true, event_id: { $in: ahead } };
        for (const name of BY_EVENT)
          await eraseIn(name, name === 'registrations' ? { ...within, $nor: [made] } : within);
      };

      // Documents found by address first, while the directory still has the addresses, so that a crash loses none.
      const addresses = await findAddresses(database, own, () => eventsOf(scope));
      count('suppressions', await removeSuppressions(database, scope, addresses));
      for await (const { ids } of eventsOf(scope))
        await removeFromOthers(database, { ...scopeOf(scope), event_id: { $in: ids } }, addresses);
      // Then the person's own documents: nothing new is drafted for a person who is not in the directory.
      await removeOwn();
      // A fan-out that is not finished may have read the person's data already.
      const isUnfinished = { relay: { $in: UNFINISHED }, ...scopeOf(scope) };
      const found = database.collection('facts').find(isUnfinished, { projection: { event_id: 1 } });
      const unfinished = await found.toArray();
      for (const name of new Set(idsIn.map((place) => place.name)))
        if (!BY_EVENT.has(name)) await eraseIn(name, scopeOf(scope));
      for await (const some of eventsOf(scope)) await eraseInEvents(some);
      // A fan-out that had read the directory before has stored its deliveries by then.
      if (unfinished.length > 0 && Object.keys(counts).length > 0) {
        await waitUntilProcessed(database, unfinished);
        const ids = [...new Set(unfinished.map(({ event_id }) => event_id))];
        await eraseInEvents({ ids, deleted: [], ahead: ids });
        await removeOwn();
      }
      count('replies', await replaceReplies(database, scope, { user_id, fields: replyFields, gone }));
      return counts;
    },
  };
}

/** The collections, with rows of any shape. */
const docsOf = (database: Database) => (name: CollectionName) => database.collection<Doc>(name);

const idOf = ({ _id }: { _id: string }): string => _id;

/** Waits until the facts are processed, but only briefly: a long fan-out reads its next batches without the person. */
async function waitUntilProcessed(database: Database, facts: readonly { _id: string }[]): Promise<void> {
  const open = { _id: { $in: facts.map(idOf) }, relay: { $in: UNFINISHED } };
  const until = Date.now() + STORED_WITHIN_MS;
  while (Date.now() < until) {
    if (!(await exists(database.collection('facts'), open))) return;
    await delay(CHECK_EVERY_MS);
  }
}

/**
 * Gives the person's messages new ids, because the old id is a hash of the address. Unsent messages are skipped, and a
 * worker that leased one loses its claim.
 */
async function rekeyDeliveries(
  database: Database,
  filter: Filter<Doc>,
  alias: string,
  cleared: ReturnType<typeof clearedWith>,
): Promise<void> {
  const rows = docsOf(database);
  const [deliveries, facts] = [rows('deliveries'), rows('facts')];
  await database.transact(async (tx) => {
    const found = (await deliveries.find(filter, inTx(tx)).toArray()) as Doc[];
    if (found.length === 0) return;
    const now = database.clock.now();
    const renamed = found.map(({ lease_until: _, queued_at: __, news: ___, ...row }): Doc => {
      const ended = isOpen({ status: String(row.status) })
        ? { status: 'skipped', reason: 'erased', settled_at: now }
        : {};
      const after: Doc = { ...row, ...ended, _id: newId(), user_id: alias };
      for (const [field, to] of cleared) {
        if (to === UNSET) delete after[field];
        else after[field] = to;
      }
      return after;
    });
    await deliveries.deleteMany({ _id: { $in: found.map(idOf) } }, inTx(tx));
    await deliveries.insertMany(renamed, inTx(tx));
    // Facts of staff actions name the message by its id.
    const event_ids = [...new Set(found.map(({ event_id }) => event_id))];
    const named = { event_id: { $in: event_ids }, 'data.delivery_id': { $in: found.map(idOf) } };
    for (const { _id, data } of (await facts.find(named, inTx(tx)).toArray()) as Doc[]) {
      const after = renamed[found.findIndex((row) => row._id === (data as { delivery_id: string }).delivery_id)]?._id;
      await facts.updateOne({ _id }, { $set: { 'data.delivery_id': after } }, inTx(tx));
    }
  });
}

/** The collections with data about a person, and the fields left out: secrets, data of others, and what only workers need. */
const WITHOUT: { readonly [Name in CollectionName]?: readonly string[] } = {
  contacts: ['words', 'addresses'],
  preferences: [],
  view_starts: [],
  push_subscriptions: ['keys'],
  feeds: ['digest'],
  acknowledgements: ['by'],
  registrations: ['origin', 'promoted_by'],
  deliveries: [
    'also',
    'given_by',
    'address_owners',
    'claim',
    'lease_until',
    'fence',
    'digest_key',
    'digest_ids',
    'arrived',
  ],
  facts: ['actor', 'relay', 'parts'],
};

/** Reads the documents about a person, by collection; each query uses an index that exists for other reasons. */
async function readRecords(database: Database, scope: Scope, user_id: string): Promise<PersonRecords> {
  // Of the facts, the person's answers to text messages.
  const answers = { type: 'message.answered', 'data.user_id': user_id };
  const found = await Promise.all(
    Object.entries(WITHOUT).map(async ([name, without]) => {
      const projection = fromKeys(['_id', 'tenant_id', 'school_id', ...without], () => 0);
      const rows = database.collection<Record<string, unknown>>(name as CollectionName);
      const filter = { ...scopeOf(scope), ...(name === 'facts' ? answers : { user_id }) };
      return [name, await rows.find(filter, { projection }).toArray()] as const;
    }),
  );
  const suppressions = ['suppressions', await readSuppressions(database, { ...scopeOf(scope), user_id })] as const;
  return Object.fromEntries([...found, suppressions].filter(([, rows]) => rows.length > 0));
}
