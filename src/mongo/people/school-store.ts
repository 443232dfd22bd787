import { createLoader } from '../../core/micro-batch.ts';
import { type Scope, scopeKey, scopeOf } from '../../people/caller.ts';
import type { SchoolStore } from '../../people/ports.ts';
import { unnamedSchool } from '../../people/school.ts';
import type { Database } from '../database.ts';

export function schoolStore(database: Database): SchoolStore {
  const rows = database.collection('schools');
  const load = createLoader(scopeKey, async (scope: Scope) => {
    const row = await rows.findOne(scope, { projection: { _id: 0 } });
    return () => (row ? { ...row } : unnamedSchool(scope));
  });
  return {
    find: (scope) => load(scopeOf(scope), null),
    async put(school) {
      await rows.replaceOne({ _id: scopeKey(school) }, school, { upsert: true });
    },
  };
}
