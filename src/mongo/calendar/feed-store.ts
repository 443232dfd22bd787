import type { FeedStore } from '../../calendar/feed.ts';
import { scopeKey } from '../../people/caller.ts';
import type { Database } from '../database.ts';

/** Each person has one feed: a new one replaces the old one. */
export function feedStore(database: Database): FeedStore {
  const rows = database.collection('feeds');
  const withoutId = { projection: { _id: 0 } };
  return {
    find: (hash) => rows.findOne({ digest: hash }, withoutId),
    findOfPerson: (scope, user_id) => rows.findOne({ _id: scopeKey(scope, user_id) }, withoutId),
    async put(feed) {
      await rows.replaceOne({ _id: scopeKey(feed, feed.user_id) }, feed, { upsert: true });
    },
    remove: async (scope, user_id) => (await rows.deleteOne({ _id: scopeKey(scope, user_id) })).deletedCount === 1,
  };
}
