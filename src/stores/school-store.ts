import { scopeOf } from '../people/caller.ts';
import type { SchoolStore } from '../people/ports.ts';
import { type School, unnamedSchool } from '../people/school.ts';
import type { Database } from './database.ts';

export function schoolStore(database: Database): SchoolStore {
  const rows = database.collection<School & { _id: string }>('schools');
  return {
    async find(scope) {
      const row = await rows.findOne(scopeOf(scope), { projection: { _id: 0 } });
      return (row as School | null) ?? unnamedSchool(scopeOf(scope));
    },
    async put(school) {
      const _id = JSON.stringify([school.tenant_id, school.school_id]);
      await rows.replaceOne({ _id }, school as never, { upsert: true });
    },
  };
}
