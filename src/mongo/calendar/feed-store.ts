import type { FeedStore } from '../../calendar/feed.ts';
import type { Database } from '../database.ts';
import { personId } from '../rows.ts';

/** One for each person: a second one takes the place of the first. */
export function feedStore(database: Database): FeedStore {
  const rows = database.collection('feeds');
  const withoutId = { projection: { _id: 0 } };
  return {
    async find(digest) {
      return rows.findOne({ digest }, withoutId);
    },
    async findOfPerson(scope, user_id) {
      return rows.findOne({ _id: personId(scope, user_id) }, withoutId);
    },
    async put(feed) {
      await rows.replaceOne({ _id: personId(feed, feed.user_id) }, feed, { upsert: true });
    },
    async remove(scope, user_id) {
      return (await rows.deleteOne({ _id: personId(scope, user_id) })).deletedCount === 1;
    },
  };
}
