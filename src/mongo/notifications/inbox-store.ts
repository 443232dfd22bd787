import { newId } from '../../core/ids.ts';
import type { Listen } from '../../core/wake-ups.ts';
import type { InboxMark, InboxSignal, InboxStore, StoredEntry } from '../../notifications/inbox/entry.ts';
import { type Scope, scopeOf } from '../../people/caller.ts';
import { watchChanges } from '../change-streams.ts';
import type { Database } from '../database.ts';
import { exists, olderThan } from '../rows.ts';
import { type DeliveryRow, deliveryOf, IN_INBOX } from './delivery-row.ts';
import { ASKING } from './notified-deliveries.ts';

const MARKS: Record<InboxMark, { open: object; update: object[] }> = {
  seen: { open: { seen_at: null }, update: [{ $set: { seen_at: '$$NOW' } }] },
  read: {
    open: { read_at: null },
    update: [{ $set: { read_at: '$$NOW', seen_at: { $ifNull: ['$seen_at', '$$NOW'] } } }],
  },
  archived: { open: { archived_at: null }, update: [{ $set: { archived_at: '$$NOW' } }] },
  unarchived: { open: { archived_at: { $ne: null } }, update: [{ $unset: ['archived_at'] }] },
};

/** A signal waits for no other member, because the change stream waits until a majority has it. */
const UNREPLICATED = { writeConcern: { w: 1, journal: false } } as const;

/**
 * Stores one row of `signals` for each write: a change stream on the deliveries would pass every write of every channel to
 * every API process.
 */
export function inboxStore(database: Database): InboxStore {
  const rows = database.collection('deliveries');
  const signals = database.collection('signals');
  const signal = async (change: InboxSignal): Promise<void> => {
    await signals.insertOne({ _id: newId(), at: database.clock.now(), ...change }, UNREPLICATED);
  };
  const ofPerson = (scope: Scope, user_id: string) => ({ ...scopeOf(scope), user_id, ...IN_INBOX });
  async function mark(scope: Scope, user_id: string, mark: InboxMark, id: string): Promise<boolean> {
    const own = { _id: id, ...ofPerson(scope, user_id) };
    const { open, update } = MARKS[mark];
    await rows.updateOne({ ...own, ...open }, update);
    if (!(await exists(rows, own))) return false;
    await signal({ marked: { ...scopeOf(scope), user_id, mark, id } });
    return true;
  }
  return {
    async signalArrivals(arrived) {
      if (arrived.length === 0) return;
      await signal({
        arrived: arrived.map(({ tenant_id, school_id, user_id, id }) => ({ tenant_id, school_id, user_id, id })),
      });
    },
    async findPage(scope, user_id, { unread, archived, limit, before }) {
      const which = { archived_at: archived ? { $ne: null } : null, ...(unread ? { read_at: null } : {}) };
      const found = rows
        .find({ ...ofPerson(scope, user_id), ...which, ...olderThan('settled_at', before) })
        .sort({ settled_at: -1, _id: -1 })
        .limit(limit);
      return (await found.toArray()).map(entryOf);
    },
    async countUnread(scope, user_id) {
      const unseen_count = { $sum: { $cond: [{ $eq: [{ $ifNull: ['$seen_at', null] }, null] }, 1, 0] } };
      const groups = rows.aggregate<Awaited<ReturnType<InboxStore['countUnread']>>[number]>([
        { $match: { ...ofPerson(scope, user_id), read_at: null, archived_at: null } },
        { $group: { _id: { event_id: '$event_id', fact_id: '$fact_id' }, unread_count: { $sum: 1 }, unseen_count } },
        { $project: { _id: 0, event_id: '$_id.event_id', fact_id: '$_id.fact_id', unread_count: 1, unseen_count: 1 } },
      ]);
      return groups.toArray();
    },
    mark,
    async markAll(scope, user_id, mark) {
      const { open, update } = MARKS[mark];
      const own = { ...ofPerson(scope, user_id), archived_at: null };
      const { modifiedCount } = await rows.updateMany({ ...own, ...open }, update);
      await signal({ marked: { ...scopeOf(scope), user_id, mark, id: null } });
      return modifiedCount;
    },
    async markAcknowledged(scope, user_ids, event_ids) {
      // The row of a message about no registration lacks the field.
      const asks = { trigger: { $in: ASKING }, 'registration_ids.0': { $exists: false } };
      const about = { event_id: { $in: event_ids }, ...asks, read_at: null };
      const unread = { ...scopeOf(scope), user_id: { $in: user_ids }, ...IN_INBOX, ...about };
      const found = await rows.find(unread, { projection: { user_id: 1 } }).toArray();
      for (const { _id: id, user_id } of found) await mark(scope, user_id, 'read', id);
    },
    async findMany(ids) {
      const found = rows.find({ _id: { $in: ids }, ...IN_INBOX });
      return (await found.toArray()).map(entryOf);
    },
    async findSince(scope, user_id, after, limit) {
      const newest = rows
        .find(ofPerson(scope, user_id))
        .sort({ settled_at: -1, _id: -1 })
        .limit(limit + 1);
      const found = (await newest.toArray()).map(entryOf).filter((entry) => entry.arrived_at > after);
      return found.length > limit ? null : found.reverse();
    },
  };
}

function entryOf(row: DeliveryRow): StoredEntry {
  const { arrived, seen_at = null, read_at = null, archived_at = null } = row;
  return Object.assign(deliveryOf(row), {
    seen_at,
    read_at,
    archived_at,
    arrived_at: arrived?.getHighBits() ?? 0,
  }) as StoredEntry;
}

/** Signals of every process's writes. */
export function inboxSignals(database: Database): Listen<InboxSignal> {
  const inserted = [
    { $match: { operationType: 'insert' } },
    { $replaceWith: { _id: '$_id', signal: '$fullDocument' } },
  ];
  const listen = watchChanges<{ signal: InboxSignal }>(database, database.collection('signals'), inserted);
  return (on, lost) => listen(({ signal }) => on(signal), lost);
}
