import { type TransactOnce, WriteConflict } from '../core/transaction.ts';
import type { EventStore } from '../events/ports.ts';
import { isSame } from './difference.ts';
import type { PlannedReminder } from './plan.ts';
import { bringPlansInStep, differenceOf, type PlanDeps } from './plan-reminders.ts';
import type { ReminderStore } from './ports.ts';

export type AuditDeps = PlanDeps & {
  transactOnce: TransactOnce;
  events: Pick<EventStore, 'ahead' | 'findMany'>;
  reminders: Pick<ReminderStore, 'ofEvents' | 'apply'>;
};

/** Where an audit goes on. */
export type AuditCursor = { at: Date; id: string };

/**
 * Compares the plans of some published events to come with what is stored, and sets right what a restore or a fault of
 * ours made wrong. Reads only, as long as all is as it should be.
 * @returns the events that were at fault, and where to go on; null after the last
 */
export async function auditPlans(
  deps: AuditDeps,
  after: AuditCursor | null,
  limit: number,
): Promise<{ healed: string[]; next: AuditCursor | null }> {
  const events = await deps.events.ahead(after, limit);
  const stored = await deps.reminders.ofEvents(events.map(({ id }) => id));
  const rowsOf = new Map(events.map(({ id }) => [id, [] as PlannedReminder[]]));
  for (const row of stored) rowsOf.get(row.event_id)?.push(row);
  const now = deps.clock.now();
  const atFault = events.filter((event) => !isSame(differenceOf([event], rowsOf.get(event.id) ?? [], now)));
  const healed: string[] = [];
  for (const { id } of atFault) if (await heal(deps, id)) healed.push(id);
  const last = events.at(-1);
  return { healed, next: last && events.length === limit ? { at: last.starts_at, id: last.id } : null };
}

/** Looks again in a transaction: what changed since the look is no fault. */
async function heal(deps: AuditDeps, id: string): Promise<boolean> {
  try {
    return await deps.transactOnce(
      async (tx) => (await bringPlansInStep(deps, await deps.events.findMany([id], tx), tx)) > 0,
    );
  } catch (error) {
    if (error instanceof WriteConflict) return false;
    throw error;
  }
}
