import type { InboxEntry, InboxStore } from '../notifications/ports.ts';
import { type Scope, scopeOf } from '../people/caller.ts';
import type { Database } from './database.ts';
import { insertMissing } from './insert-missing.ts';
import { type Row, recordOf, rowOf } from './rows.ts';

export function inboxStore(database: Database): InboxStore {
  const rows = database.collection<Row<InboxEntry>>('inbox');
  const unread = (scope: Scope, user_id: string) => ({ ...scopeOf(scope), user_id, read_at: null });
  return {
    async insertMany(entries) {
      await insertMissing(rows, entries.map(rowOf));
    },
    async page(scope, user_id, { unread: onlyUnread, limit, before }) {
      const older = before
        ? { $or: [{ created_at: { $lt: before.at } }, { created_at: before.at, _id: { $lt: before.id } }] }
        : {};
      const filter = { ...scopeOf(scope), user_id, ...(onlyUnread ? { read_at: null } : {}), ...older };
      const found = rows
        .find(filter as never)
        .sort({ created_at: -1, _id: -1 })
        .limit(limit);
      return (await found.toArray()).map((row) => recordOf<InboxEntry>(row));
    },
    unreadCount: (scope, user_id) => rows.countDocuments(unread(scope, user_id)),
    async markRead(scope, user_id, id) {
      const own = { _id: id, ...scopeOf(scope), user_id };
      await rows.updateOne({ ...own, read_at: null }, { $currentDate: { read_at: true } } as never);
      return (await rows.countDocuments(own, { limit: 1 })) === 1;
    },
    async markAllRead(scope, user_id) {
      const done = await rows.updateMany(unread(scope, user_id), { $currentDate: { read_at: true } } as never);
      return done.modifiedCount;
    },
  };
}
