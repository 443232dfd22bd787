import type { Scope } from '../people/caller.ts';

/** Row ids derived from tenant, school and person, so that upserts filter by `_id`. */
export function personIds(scope: Scope, user_ids: readonly string[]): string[] {
  const before = `[${JSON.stringify(scope.tenant_id)},${JSON.stringify(scope.school_id)},`;
  const ids: string[] = [];
  for (const user_id of user_ids) ids.push(`${before}${JSON.stringify(user_id)}]`);
  return ids;
}

export const personId = ({ tenant_id, school_id }: Scope, user_id: string): string =>
  JSON.stringify([tenant_id, school_id, user_id]);
