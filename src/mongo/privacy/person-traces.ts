import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '../../core/ids.ts';
import { isOpen } from '../../notifications/delivery.ts';
import { type Scope, scopeOf } from '../../people/caller.ts';
import { type Erased, withoutPerson } from '../../privacy/erasure.ts';
import type { PersonTraces } from '../../privacy/ports.ts';
import { type CollectionName, UNFINISHED } from '../collections.ts';
import { type Collection, type Database, inTx } from '../database.ts';
import { PLACES_OF_PERSON } from '../notifications/delivery-row.ts';
import { eraseFromEvents } from './event-traces.ts';
import { THEIRS } from './people-in.ts';
import { secretsOf } from './person-secrets.ts';

type Own = Scope & { user_id: string };
type Doc = { _id: string; [field: string]: unknown };

/** Events whose rows are gone through at a time: they are found by event, as everything else finds them. */
const EVENTS = 200;
/** Rows rewritten in one transaction. */
const ROWS = 500;

/** How long a fan-out may take to store those it had read. */
const STORED_WITHIN_MS = 3_000;
const LOOK_EVERY_MS = 50;

/** Where a person stands in the database, and how they vanish from it. */
export function personTraces(database: Database): PersonTraces {
  const rows = (name: CollectionName) => database.collection<Doc>(name);

  /** Ids of all events of a school, deleted ones too, some at a time. */
  async function* eventsOf(scope: Scope): AsyncGenerator<string[]> {
    const found = rows('events').find(scopeOf(scope), { projection: { _id: 1 } });
    let ids: string[] = [];
    for await (const { _id } of found) {
      ids.push(_id);
      if (ids.length < EVENTS) continue;
      yield ids;
      ids = [];
    }
    if (ids.length > 0) yield ids;
  }

  /** Rewrites what names the person, many rows in one transaction; `change` may make another row of one. */
  async function rewrite(name: CollectionName, filter: object, change: (row: Doc) => Doc): Promise<number> {
    const ids = (
      await rows(name)
        .find(filter as never, { projection: { _id: 1 } })
        .toArray()
    ).map(({ _id }) => _id);
    let count = 0;
    for (let at = 0; at < ids.length; at += ROWS) {
      const some = { $and: [{ _id: { $in: ids.slice(at, at + ROWS) } }, filter] };
      count += await database.transact((tx) => rewriteSome(rows(name), some, change, inTx(tx)));
    }
    return count;
  }

  return {
    async activeRegistrations(scope, user_id) {
      const ids: string[] = [];
      for await (const event_ids of eventsOf(scope)) {
        const filter = { event_id: { $in: event_ids }, user_id, active: true };
        const found = await rows('registrations')
          .find(filter, { projection: { _id: 1 } })
          .toArray();
        ids.push(...found.map(({ _id }) => _id));
      }
      return ids;
    },

    async erase(scope, user_id, { alias, gone }) {
      const counts: Record<string, number> = {};
      const count = (kind: string, more: number) => {
        if (more > 0) counts[kind] = (counts[kind] ?? 0) + more;
      };
      const own = { ...scopeOf(scope), user_id };
      const events = () => eventsOf(scope);
      const { known, secrets, registration_ids } = await secretsOf(database, own, events);
      const erased: Erased = { user_id, alias, secrets };
      const clean = (row: Doc): Doc => withoutPerson(row, erased);

      // What is found by their addresses goes while the directory still tells these: a crash in between loses none.
      if (known) {
        count('suppressions', await unsuppress(database, own, secrets));
        count('replies', await forgetReplies(database, scope, [user_id, ...registration_ids], gone));
      }
      const removeOwn = async () => {
        for (const name of THEIRS) count(name, (await rows(name).deleteMany(own as never)).deletedCount);
      };
      const clearOf = async (event_ids: readonly string[]) => {
        const among = { event_id: { $in: event_ids } };
        const delivered = { ...among, $or: PLACES_OF_PERSON.map((field) => ({ [field]: user_id })) };
        const now = database.clock.now();
        count('deliveries', await rewrite('deliveries', delivered, withoutReceiver(user_id, clean, now)));
        const registered = { ...among, $or: [{ user_id, active: { $ne: true } }, { registered_by: user_id }] };
        count('registrations', await rewrite('registrations', registered, clean));
        const told = { ...among, $or: [{ 'data.user_id': user_id }, { 'actor.user_id': user_id }] };
        count('facts', await rewrite('facts', told, withoutReason(user_id, clean)));
      };
      // Then the person's own: nothing new is drafted for somebody who is not in the directory.
      await removeOwn();
      const atWork = await factsAtWork(database, scope);
      count('contacts', await rewrite('contacts', { ...scopeOf(scope), guardians: user_id }, withoutGuardian(user_id)));
      count('feeds', await rewrite('feeds', { ...scopeOf(scope), children: user_id }, clean));
      for await (const event_ids of events()) await clearOf(event_ids);
      // Whoever had read the directory before has stored what they made of it by then.
      if (atWork.length > 0 && Object.keys(counts).length > 0) {
        await untilWorkedOff(database, atWork);
        await clearOf([...new Set(atWork.map((fact) => fact.event_id))]);
        await removeOwn();
      }
      count('events', await eraseFromEvents(database, scope, erased));
      if (Object.keys(counts).length === 0) return counts; // nobody here: nothing at all is written
      await unsignal(database, own);
      if (!known) count('replies', await forgetReplies(database, scope, [user_id], gone));
      return counts;
    },
  };
}

/** What a fan-out is at, or will be: it may have read of the person already. */
async function factsAtWork(database: Database, scope: Scope): Promise<{ _id: string; event_id: string }[]> {
  const unfinished = { relay: { $in: UNFINISHED }, ...scopeOf(scope) };
  const found = database.collection('facts').find(unfinished as never, { projection: { event_id: 1 } });
  return (await found.toArray()) as unknown as { _id: string; event_id: string }[];
}

/** A long one reads the rest without them, so it is not waited for to its end. */
async function untilWorkedOff(database: Database, facts: readonly { _id: string }[]): Promise<void> {
  const open = { _id: { $in: facts.map(({ _id }) => _id) }, relay: { $in: UNFINISHED } };
  const until = Date.now() + STORED_WITHIN_MS;
  while (Date.now() < until) {
    if ((await database.collection('facts').countDocuments(open as never, { limit: 1 })) === 0) return;
    await delay(LOOK_EVERY_MS);
  }
}

/** A row that changed meanwhile makes it begin anew. @returns how many there were */
async function rewriteSome(
  rows: Collection<Doc>,
  filter: object,
  change: (row: Doc) => Doc,
  tx: ReturnType<typeof inTx>,
): Promise<number> {
  const found = (await rows.find(filter as never, tx).toArray()).map((row) => ({
    _id: row._id,
    after: change(row as Doc),
  }));
  const kept = found.filter(({ _id, after }) => after._id === _id);
  const renamed = found.filter(({ _id, after }) => after._id !== _id);
  if (kept.length > 0) {
    const writes = kept.map(({ _id, after: { _id: __, ...replacement } }) => ({
      replaceOne: { filter: { _id }, replacement },
    }));
    await rows.bulkWrite(writes as never, tx);
  }
  if (renamed.length > 0) {
    await rows.deleteMany({ _id: { $in: renamed.map(({ _id }) => _id) } } as never, tx);
    await rows.insertMany(renamed.map(({ after }) => after) as never, tx);
  }
  return found.length;
}

const withoutGuardian =
  (user_id: string) =>
  (row: Doc): Doc => ({ ...row, guardians: (row.guardians as string[]).filter((id) => id !== user_id) });

/**
 * A message to the person: its key is made of the address, so the row that stays gets another. What has not left yet
 * never does, and a worker who holds it finds its claim gone.
 */
const withoutReceiver =
  (user_id: string, clean: (row: Doc) => Doc, now: Date) =>
  (row: Doc): Doc => {
    const after = clean(row);
    if (row.user_id !== user_id) return after;
    const { address: _, provider_id: __, claim: ___, lease_until: ____, queued_at: _____, also, ...rest } = after;
    // Made of the address, like the id.
    const { digest_key: ______, digest_id: _______, digest_ids: ________, ...kept } = rest;
    const ended = isOpen({ status: String(row.status) })
      ? { status: 'skipped', reason: 'erased', settled_at: now }
      : {};
    return { ...kept, ...(also ? { also } : {}), ...ended, _id: newId() };
  };

/** What somebody wrote down as the reason of leaving is about the person who left. */
const withoutReason =
  (user_id: string, clean: (row: Doc) => Doc) =>
  (row: Doc): Doc => {
    const after = clean(row);
    const data = row.data as { user_id?: string; reason?: unknown };
    if (data.user_id !== user_id || !('reason' in data)) return after;
    return { ...after, data: { ...(after.data as object), reason: null } };
  };

/** Addresses that nobody else in the tenant has need not be remembered as barred. */
async function unsuppress(database: Database, own: Own, secrets: ReadonlySet<string>): Promise<number> {
  const { tenant_id } = own;
  let count = 0;
  for (const address of secrets) {
    const spelled = { $in: [address, address.toLowerCase()] };
    const others = database
      .collection('contacts')
      .countDocuments({ tenant_id, $nor: [own], $or: [{ email: spelled }, { phone: spelled }] } as never, { limit: 1 });
    if ((await others) > 0) continue;
    count += (await database.collection('suppressions').deleteMany({ tenant_id, address: spelled } as never))
      .deletedCount;
  }
  return count;
}

/**
 * A kept reply that names the person says from now on that there is nobody: the request must not be carried out again.
 * Those of this school alone: an id may be somebody else's in another.
 */
async function forgetReplies(
  database: Database,
  scope: Scope,
  needles: readonly string[],
  gone: object,
): Promise<number> {
  let count = 0;
  for (let at = 0; at < needles.length; at += NEEDLES) {
    const quoted = needles.slice(at, at + NEEDLES).map((needle) => escaped(JSON.stringify(needle)));
    const filter = { ...scopeOf(scope), 'reply.body': { $regex: quoted.join('|') } };
    const { modifiedCount } = await database
      .collection('replies')
      .updateMany(filter as never, { $set: { reply: gone } } as never);
    count += modifiedCount;
  }
  return count;
}

/** Ids looked for at a time: an expression has a greatest length. */
const NEEDLES = 200;

/** Signals of an inbox live minutes; until then they would say whose it was. */
async function unsignal(database: Database, own: Own): Promise<void> {
  const signals = database.collection('signals');
  const { tenant_id, school_id, user_id } = own;
  await signals.deleteMany({
    'marked.user_id': user_id,
    'marked.tenant_id': tenant_id,
    'marked.school_id': school_id,
  } as never);
  await signals.updateMany({ arrived: { $elemMatch: own } } as never, { $pull: { arrived: own } } as never);
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
