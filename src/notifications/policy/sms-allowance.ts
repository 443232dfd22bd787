import type { Delivery } from '../delivery.ts';
import type { SmsBudget } from '../ports.ts';
import { ruleOf } from './trigger.ts';

/** What is urgent still goes out when all else has used up its part. */
const URGENT_TIMES = 2;

/** Parts of text messages a tenant may have sent on a day when one of this kind leaves. */
export const allowanceOf = (perDay: number, urgent: boolean): number => (urgent ? perDay * URGENT_TIMES : perDay);

/** The day on whose budget a message of this moment is: UTC's, so that it is one day for all schools of a tenant. */
export const budgetDayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The budget of a day as it stands; `perDay` is null where there is none. */
export type SmsAllowance = Pick<SmsBudget, 'used'> & { perDay: number | null };

type Spending = Pick<Delivery, 'tenant_id' | 'trigger' | 'due_at'>;

/**
 * Lays messages that would be sent against what their tenants have left on the day they would leave. Takes nothing.
 * @returns whether a message of so many parts fits in beside those it was asked for before
 */
export function foreseenSpending({ perDay, used }: SmsAllowance): (row: Spending, parts: number) => Promise<boolean> {
  const spent = new Map<string, number>();
  return async ({ tenant_id, trigger, due_at }, parts) => {
    if (perDay === null) return true;
    const day = `${budgetDayOf(due_at)} ${tenant_id}`;
    const already = spent.get(day) ?? (await used(tenant_id, due_at));
    const fits = already + parts <= allowanceOf(perDay, ruleOf(trigger).urgent);
    spent.set(day, fits ? already + parts : already);
    return fits;
  };
}
