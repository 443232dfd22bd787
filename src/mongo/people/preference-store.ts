import { scopeOf } from '../../people/caller.ts';
import type { PreferenceStore } from '../../people/ports.ts';
import type { Database } from '../database.ts';
import { personId, personIds } from '../person-id.ts';

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
