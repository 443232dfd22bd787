import { budgetDayOf } from '../../notifications/policy/sms-allowance.ts';
import type { SmsBudget } from '../../notifications/ports.ts';
import type { Database } from '../database.ts';
import { isDuplicate } from '../insert-missing.ts';

export type BudgetRow = { _id: string; used: number; expires_at: Date };

const KEPT_MS = 40 * 86_400_000;

/** One row per tenant and day, by the database's clock. */
export function smsBudgetStore(database: Database): SmsBudget {
  const rows = database.collection('sms_budgets');
  const idOf = (tenant_id: string, at = database.clock.now()): string => `${budgetDayOf(at)} ${tenant_id}`;
  return {
    async take(tenant_id, parts, limit) {
      if (parts > limit) return false;
      const fits = { _id: idOf(tenant_id), used: { $lte: limit - parts } };
      const more = { $inc: { used: parts } };
      const expires_at = new Date(database.clock.now().getTime() + KEPT_MS);
      try {
        await rows.updateOne(fits, { ...more, $setOnInsert: { expires_at } }, { upsert: true });
        return true;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        // The budget is used up, or another process has just inserted the day's row.
        return (await rows.updateOne(fits, more)).matchedCount > 0;
      }
    },

    async used(tenant_id, at) {
      const row = await rows.findOne({ _id: idOf(tenant_id, at) });
      return row?.used ?? 0;
    },

    async giveBack(tenant_id, parts) {
      await rows.updateOne({ _id: idOf(tenant_id), used: { $gte: parts } }, { $inc: { used: -parts } });
    },
  };
}
