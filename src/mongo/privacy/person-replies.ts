import type { StoredReply } from '../../core/idempotency-record.ts';
import { parseObject } from '../../core/objects.ts';
import { type Scope, scopeOf } from '../../people/caller.ts';
import type { Database } from '../database.ts';
import { escapedPattern } from '../rows.ts';

/**
 * Replaces the stored replies of a school that name the person in one of these fields by `gone`, so that a repeated request
 * neither runs again nor reveals the person.
 * @returns how many
 */
export async function replaceReplies(
  database: Database,
  scope: Scope,
  { user_id, fields, gone }: { user_id: string; fields: ReadonlySet<string>; gone: StoredReply },
): Promise<number> {
  const rows = database.collection('replies');
  const quoted = escapedPattern(JSON.stringify(user_id));
  let count = 0;
  for await (const { _id, reply } of rows.find({ ...scopeOf(scope), 'reply.body': { $regex: quoted } })) {
    if (!reply || !names(parseObject(reply.body), user_id, fields)) continue;
    await rows.updateOne({ _id }, { $set: { reply: gone } });
    count += 1;
  }
  return count;
}

function names(value: unknown, user_id: string, fields: ReadonlySet<string>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((entry) => names(entry, user_id, fields));
  return Object.entries(value).some(
    ([field, inner]) => (fields.has(field) && [inner].flat().includes(user_id)) || names(inner, user_id, fields),
  );
}
