import { createLoader } from '../../core/micro-batch.ts';
import { type Scope, scopeKey, scopeOf } from '../../people/caller.ts';
import type { SchoolStore } from '../../people/ports.ts';
import { type School, unnamedSchool } from '../../people/school.ts';
import type { Database } from '../database.ts';

export function schoolStore(database: Database): SchoolStore {
  const rows = database.collection<School & { _id: string }>('schools');
  const load = createLoader(scopeKey, async (scope: Scope) => {
    const row = (await rows.findOne(scope, { projection: { _id: 0 } })) as School | null;
    return () => (row ? { ...row } : unnamedSchool(scope));
  });
  return {
    find: (scope) => load(scopeOf(scope), null),
    async put(school) {
      await rows.replaceOne({ _id: scopeKey(school) }, school as never, { upsert: true });
    },
  };
}
