import { scopeOf } from '../../people/caller.ts';
import type { PreferenceStore } from '../../people/ports.ts';
import type { Preferences } from '../../people/preferences.ts';
import type { Database } from '../database.ts';
import { personId, personIds } from '../person-id.ts';

export function preferenceStore(database: Database): PreferenceStore {
  const rows = database.collection<Preferences & { _id: string }>('preferences');
  const plain = { projection: { _id: 0 as const } };
  return {
    async find(scope, user_id) {
      return (await rows.findOne({ _id: personId(scope, user_id) }, plain)) as Preferences | null;
    },
    async findMany(scope, user_ids) {
      if (user_ids.length === 0) return [];
      return database.readAll<Preferences>('preferences', { _id: { $in: personIds(scope, user_ids) } }, plain);
    },
    async put(preferences) {
      const _id = personId(preferences, preferences.user_id);
      await rows.replaceOne({ _id }, preferences as never, { upsert: true });
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
