import { digestOf } from '../../core/ids.ts';
import { scopeOf } from '../../people/caller.ts';
import type { ViewStartStore } from '../../people/view-as.ts';
import type { Database } from '../database.ts';
import { insertMissing } from '../rows.ts';

export function viewStartStore(database: Database): ViewStartStore {
  const rows = database.collection('view_starts');
  return {
    async record(start, session) {
      const { tenant_id, school_id, by, role, user_id } = start;
      const _id = digestOf(tenant_id, school_id, by, role ?? '', user_id ?? '', session);
      await insertMissing(rows, [{ _id, ...start }]);
    },
    async listOfPerson(scope, user_id, limit) {
      const found = rows.find({ ...scopeOf(scope), user_id }, { projection: { _id: 0 } });
      return found.sort({ at: -1 }).limit(limit).toArray();
    },
  };
}
