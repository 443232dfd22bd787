import type { Moment } from '../core/paging.ts';
import { type TransactOnce, WriteConflict } from '../core/transaction.ts';
import type { EventStore } from '../events/ports.ts';
import { isEmpty, type ReminderStore } from './plan.ts';
import { differenceOf, type PlanDeps, syncPlans } from './plan-reminders.ts';

type AuditDeps = PlanDeps & {
  transactOnce: TransactOnce;
  events: Pick<EventStore, 'findUpcoming' | 'findMany'>;
  reminders: Pick<ReminderStore, 'listOfEvents' | 'apply'>;
};

/**
 * Compares the stored reminders of up to `limit` published future events with the wanted ones, and repairs differences that
 * a restore or a bug has caused. Writes nothing if there are none.
 * @returns the ids of repaired events, and the cursor to continue at; null after the last
 */
export async function auditPlans(
  deps: AuditDeps,
  after: Moment | null,
  limit: number,
): Promise<{ repaired: string[]; next: Moment | null }> {
  const events = await deps.events.findUpcoming(after, limit);
  const stored = await deps.reminders.listOfEvents(events.map(({ id }) => id));
  const now = deps.clock.now();
  // The plan of an event follows a held change when it is released, which clears `held_until`.
  const settled = events.filter(({ held_until }) => !held_until);
  const different = settled.filter((event) => !isEmpty(differenceOf([event], stored, now)));
  const repaired: string[] = [];
  for (const { id } of different) if (await repair(deps, id)) repaired.push(id);
  const last = events.at(-1);
  return { repaired, next: last && events.length === limit ? { at: last.starts_at, id: last.id } : null };
}

/** Compares again in a transaction, because the event may have changed since. */
async function repair(deps: AuditDeps, id: string): Promise<boolean> {
  try {
    return await deps.transactOnce(async (tx) => (await syncPlans(deps, await deps.events.findMany([id], tx), tx)) > 0);
  } catch (error) {
    if (error instanceof WriteConflict) return false;
    throw error;
  }
}
