import { type Scope, scopeOf } from '../../people/caller.ts';
import type { Database } from '../database.ts';

/** Skips what still waits to be sent to people who have left the school. @returns how many messages */
export function stopMessages(database: Database) {
  const rows = database.collection('deliveries');
  return async (scope: Scope, user_ids: readonly string[]): Promise<number> => {
    const waiting = { ...scopeOf(scope), user_id: { $in: [...user_ids] }, status: 'waiting' };
    const { modifiedCount } = await rows.updateMany(waiting, [
      { $set: { status: 'skipped', reason: 'left_school', settled_at: '$$NOW' } },
      { $unset: ['queued_at'] },
    ]);
    return modifiedCount;
  };
}
