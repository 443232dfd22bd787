import type { Delivery } from '../delivery.ts';
import { ruleOf } from './trigger-table.ts';

/** Parts of text messages that each tenant has sent today, over all processes. */
export type SmsBudget = {
  /** @returns false, and takes none, if the parts exceed the limit */
  take(tenant_id: string, parts: number, limit: number): Promise<boolean>;
  giveBack(tenant_id: string, parts: number): Promise<void>;
  /** Parts taken on the day (UTC) of this moment. */
  readUsed(tenant_id: string, at: Date): Promise<number>;
};

/** Urgent messages may use twice the daily limit. */
const URGENT_TIMES = 2;

/** SMS parts a tenant may send on a day, up to and including a message of this kind. */
export const allowanceOf = (perDay: number, urgent: boolean): number => (urgent ? perDay * URGENT_TIMES : perDay);

/** The UTC day whose budget a message uses: one day for all schools of a tenant. */
export const budgetDayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The use of a day's budget; `perDay` is null if there is no limit. */
export type SmsAllowance = Pick<SmsBudget, 'readUsed'> & { perDay: number | null };

type Spending = Pick<Delivery, 'tenant_id' | 'trigger' | 'due_at'>;

/**
 * Checks messages of a dry run against the budgets of their tenants and days, without spending.
 * @returns a function that returns whether a message with this many parts fits after all messages checked before
 */
export function previewSpending({
  perDay,
  readUsed,
}: SmsAllowance): (row: Spending, parts: number) => Promise<boolean> {
  const spent = new Map<string, number>();
  return async ({ tenant_id, trigger, due_at }, parts) => {
    if (perDay === null) return true;
    const day = `${budgetDayOf(due_at)} ${tenant_id}`;
    const already = spent.get(day) ?? (await readUsed(tenant_id, due_at));
    const fits = already + parts <= allowanceOf(perDay, ruleOf(trigger).urgent);
    spent.set(day, fits ? already + parts : already);
    return fits;
  };
}
