import type { InboxMark, InboxSignal, InboxStore, Listen } from '../../notifications/ports.ts';
import { type Scope, scopeOf } from '../../people/caller.ts';
import { watchCollection } from '../change-feed.ts';
import type { Database } from '../database.ts';
import { insertMissing } from '../insert-missing.ts';
import { arrivalOf, entryOf, type InboxRow, inboxRowOf, type SignalRow, signalRowOf } from './inbox-row.ts';

const MARKS: Record<InboxMark, { open: object; update: object[] }> = {
  seen: { open: { seen_at: null }, update: [{ $set: { seen_at: '$$NOW' } }] },
  read: {
    open: { read_at: null },
    update: [{ $set: { read_at: '$$NOW', seen_at: { $ifNull: ['$seen_at', '$$NOW'] } } }],
  },
  archived: { open: { archived_at: null }, update: [{ $set: { archived_at: '$$NOW' } }] },
  unarchived: { open: { archived_at: { $ne: null } }, update: [{ $unset: ['archived_at'] }] },
};

/** Rows, and after each write one row of `signals`: a change stream on the inbox itself would tell of every message. */
export function inboxStore(database: Database): InboxStore {
  const rows = database.collection<InboxRow>('inbox');
  const signals = database.collection<SignalRow>('signals');
  const signal = async (told: InboxSignal): Promise<void> => {
    await signals.insertOne(signalRowOf(told, database.clock.now()) as never);
  };
  const ofPerson = (scope: Scope, user_id: string) => ({ ...scopeOf(scope), user_id });
  return {
    async insertMany(entries) {
      if (entries.length === 0) return;
      await insertMissing(rows, entries.map(inboxRowOf));
      // A crash before this line repeats the insert, which changes nothing, and comes to this line again.
      await signal(arrivalOf(entries));
    },
    async page(scope, user_id, { unread, archived, limit, before }) {
      const older = before
        ? { $or: [{ created_at: { $lt: before.at } }, { created_at: before.at, _id: { $lt: before.id } }] }
        : {};
      const which = { archived_at: archived ? { $ne: null } : null, ...(unread ? { read_at: null } : {}) };
      const found = rows
        .find({ ...ofPerson(scope, user_id), ...which, ...older } as never)
        .sort({ created_at: -1, _id: -1 })
        .limit(limit);
      return (await found.toArray()).map(entryOf);
    },
    async counts(scope, user_id) {
      const unseen_count = { $sum: { $cond: [{ $eq: [{ $ifNull: ['$seen_at', null] }, null] }, 1, 0] } };
      const [counted] = await rows
        .aggregate<{ unread_count: number; unseen_count: number }>([
          { $match: { ...ofPerson(scope, user_id), read_at: null, archived_at: null } },
          { $group: { _id: null, unread_count: { $sum: 1 }, unseen_count } },
        ])
        .toArray();
      return { unread_count: counted?.unread_count ?? 0, unseen_count: counted?.unseen_count ?? 0 };
    },
    async mark(scope, user_id, mark, id) {
      const own = { _id: id, ...ofPerson(scope, user_id) };
      const { open, update } = MARKS[mark];
      await rows.updateOne({ ...own, ...open } as never, update);
      if ((await rows.countDocuments(own, { limit: 1 })) === 0) return false;
      await signal({ marked: { ...ofPerson(scope, user_id), mark, id } });
      return true;
    },
    async markAll(scope, user_id, mark) {
      const { open, update } = MARKS[mark];
      const own = { ...ofPerson(scope, user_id), archived_at: null };
      const { modifiedCount } = await rows.updateMany({ ...own, ...open } as never, update);
      await signal({ marked: { ...ofPerson(scope, user_id), mark, id: null } });
      return modifiedCount;
    },
    async findMany(ids) {
      return (await rows.find({ _id: { $in: [...ids] } } as never).toArray()).map(entryOf);
    },
    async since(scope, user_id, after, limit) {
      const newest = rows
        .find(ofPerson(scope, user_id) as never)
        .sort({ created_at: -1, _id: -1 })
        .limit(limit + 1);
      const found = (await newest.toArray()).map(entryOf).filter((entry) => entry.arrived_at > after);
      return found.length > limit ? null : found.reverse();
    },
  };
}

/** Signals of every process's writes. */
export function inboxSignals(database: Database): Listen<InboxSignal> {
  const inserted = [
    { $match: { operationType: 'insert' } },
    { $replaceWith: { _id: '$_id', signal: '$fullDocument' } },
  ];
  const listen = watchCollection<{ signal: InboxSignal }>(database, database.collection('signals') as never, inserted);
  return (on, lost) => listen(({ signal }) => on(signal), lost);
}
