import { scopeOf } from '../../people/caller.ts';
import type { PreferenceStore, PushSubscription, PushSubscriptionStore } from '../../people/ports.ts';
import { BROWSERS_PER_PERSON } from '../../people/push-endpoint.ts';
import type { Database } from '../database.ts';
import { personId, personIds, recordOf, rowOf } from '../rows.ts';

export function preferenceStore(database: Database): PreferenceStore {
  const rows = database.collection('preferences');
  const plain = { projection: { _id: 0 as const } };
  return {
    async find(scope, user_id) {
      return rows.findOne({ _id: personId(scope, user_id) }, plain);
    },
    async findMany(scope, user_ids) {
      if (user_ids.length === 0) return [];
      return rows.find({ _id: { $in: personIds(scope, user_ids) } }, plain).toArray();
    },
    async put(preferences) {
      const _id = personId(preferences, preferences.user_id);
      await rows.replaceOne({ _id }, preferences, { upsert: true });
    },
    async addOptOut(scope, user_id, wish) {
      await rows.updateOne(
        { _id: personId(scope, user_id) },
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
      await rows.updateOne(
        { endpoint: subscription.endpoint },
        { $set: rest, $setOnInsert: { _id } },
        { upsert: true },
      );
      const { user_id } = subscription;
      const surplus = await rows
        .find(
          { ...scopeOf(subscription), user_id },
          { projection: { _id: 1 }, sort: NEWEST_FIRST, skip: BROWSERS_PER_PERSON },
        )
        .toArray();
      if (surplus.length > 0) await rows.deleteMany({ _id: { $in: surplus.map((row) => row._id) } });
    },
    async findMany(scope, user_ids) {
      if (user_ids.length === 0) return [];
      const filter = { ...scopeOf(scope), user_id: { $in: user_ids } };
      return (await rows.find(filter).toArray()).map((row) => recordOf<PushSubscription>(row));
    },
    async removeByEndpoint(endpoint) {
      await rows.deleteOne({ endpoint });
    },
    async remove(scope, user_id, endpoint) {
      return (await rows.deleteOne({ ...scopeOf(scope), user_id, endpoint })).deletedCount === 1;
    },
  };
}

const NEWEST_FIRST = { created_at: -1, _id: -1 } as const;
