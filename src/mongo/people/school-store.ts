import { type Scope, scopeOf } from '../../people/caller.ts';
import type { SchoolStore } from '../../people/ports.ts';
import { type School, unnamedSchool } from '../../people/school.ts';
import { batchReads } from '../batch-reads.ts';
import type { Database } from '../database.ts';

/** The id in a data loader whose parts hold one school each. */
const THE_SCHOOL = '';

export function schoolStore(database: Database): SchoolStore {
  const rows = database.collection<School & { _id: string }>('schools');
  const findSoon = batchReads<Scope, School>(
    ({ tenant_id, school_id }) => JSON.stringify([tenant_id, school_id]),
    async (scope) => {
      const row = (await rows.findOne(scope, { projection: { _id: 0 } })) as School | null;
      return new Map(row ? [[THE_SCHOOL, () => ({ ...row })]] : []);
    },
  );
  return {
    async find(scope) {
      return (await findSoon(scopeOf(scope), THE_SCHOOL)) ?? unnamedSchool(scopeOf(scope));
    },
    async put(school) {
      const _id = JSON.stringify([school.tenant_id, school.school_id]);
      await rows.replaceOne({ _id }, school as never, { upsert: true });
    },
  };
}
