import type { Tellings } from '../notifications/tellings.ts';
import type { Database } from './database.ts';
import { isDuplicate } from './insert-missing.ts';

type TellingRow = { _id: string; event_id: string; by: string; until: Date };

const IS_OVER = { $lte: ['$until', '$$NOW'] };

/** One row for each fact that is being told, named by it. */
export function tellingStore(database: Database): Tellings {
  const rows = database.collection<TellingRow>('tellings');
  return {
    async begin({ fact_id, event_id }, by, leaseMs) {
      const values = { event_id, until: { $add: ['$$NOW', leaseMs] } };
      try {
        await rows.updateOne({ _id: fact_id, by }, [{ $set: values }] as never, { upsert: true });
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    },
    async end(fact_id, by) {
      await rows.deleteOne({ _id: fact_id, $or: [{ by }, { $expr: IS_OVER }] } as never);
    },
    async isGoingOn(event_id, except_fact_id) {
      const other = { event_id, _id: { $ne: except_fact_id }, $expr: { $not: IS_OVER } };
      return (await rows.countDocuments(other as never, { limit: 1 })) > 0;
    },
  };
}
