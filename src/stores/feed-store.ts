import type { Feed } from '../calendar/feed.ts';
import type { FeedStore } from '../calendar/ports.ts';
import type { Scope } from '../people/caller.ts';
import type { Database } from './database.ts';

/** One for each person: a second one takes the place of the first. */
const idOf = (scope: Scope, user_id: string): string => JSON.stringify([scope.tenant_id, scope.school_id, user_id]);

export function feedStore(database: Database): FeedStore {
  const rows = database.collection<Feed & { _id: string }>('feeds');
  const withoutId = { projection: { _id: 0 } };
  return {
    async find(digest) {
      return (await rows.findOne({ digest }, withoutId)) as Feed | null;
    },
    async ofPerson(scope, user_id) {
      return (await rows.findOne({ _id: idOf(scope, user_id) }, withoutId)) as Feed | null;
    },
    async put(feed) {
      await rows.replaceOne({ _id: idOf(feed, feed.user_id) }, feed as never, { upsert: true });
    },
    async remove(scope, user_id) {
      return (await rows.deleteOne({ _id: idOf(scope, user_id) })).deletedCount === 1;
    },
  };
}
