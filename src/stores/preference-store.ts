import { type Scope, scopeOf } from '../people/caller.ts';
import type { PreferenceStore } from '../people/ports.ts';
import type { Preferences } from '../people/preferences.ts';
import type { Database } from './database.ts';

const idOf = (scope: Scope, user_id: string): string => JSON.stringify([scope.tenant_id, scope.school_id, user_id]);

export function preferenceStore(database: Database): PreferenceStore {
  const rows = database.collection<Preferences & { _id: string }>('preferences');
  const plain = { projection: { _id: 0 as const } };
  return {
    async find(scope, user_id) {
      return (await rows.findOne({ _id: idOf(scope, user_id) }, plain)) as Preferences | null;
    },
    async findMany(scope, user_ids) {
      const ids = user_ids.map((user_id) => idOf(scope, user_id));
      return ids.length === 0
        ? []
        : ((await rows.find({ _id: { $in: ids } }, plain).toArray()) as unknown as Preferences[]);
    },
    async put(preferences) {
      const _id = idOf(preferences, preferences.user_id);
      await rows.replaceOne({ _id }, preferences as never, { upsert: true });
    },
    async addOptOut(scope, user_id, wish) {
      await rows.updateOne(
        { _id: idOf(scope, user_id) },
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
