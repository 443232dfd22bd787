import { scopeOf } from '../people/caller.ts';
import type { PushSubscription, PushSubscriptionStore } from '../people/ports.ts';
import type { Database } from './database.ts';
import { type Row, recordOf, rowOf } from './rows.ts';

export function pushSubscriptionStore(database: Database): PushSubscriptionStore {
  const rows = database.collection<Row<PushSubscription>>('push_subscriptions');
  return {
    async put(subscription) {
      const { _id, ...rest } = rowOf(subscription);
      await rows.updateOne(
        { endpoint: subscription.endpoint },
        { $set: rest, $setOnInsert: { _id } },
        { upsert: true },
      );
    },
    async findMany(scope, user_ids) {
      if (user_ids.length === 0) return [];
      const filter = { ...scopeOf(scope), user_id: { $in: user_ids } };
      const found = await database.readAll<Row<PushSubscription>>('push_subscriptions', filter);
      return found.map((row) => recordOf<PushSubscription>(row));
    },
    async removeByEndpoint(endpoint) {
      await rows.deleteOne({ endpoint });
    },
    async remove(scope, user_id, endpoint) {
      return (await rows.deleteOne({ ...scopeOf(scope), user_id, endpoint })).deletedCount === 1;
    },
  };
}
