import type { Tx } from '../core/transaction.ts';
import type { Scope } from '../people/caller.ts';
import type { PlanDifference } from './difference.ts';
import type { PlannedReminder } from './plan.ts';

export type ReminderStore = {
  /** Every reminder of these events, of all their schedules; in no order. */
  ofEvents(event_ids: readonly string[], tx?: Tx): Promise<PlannedReminder[]>;
  apply(difference: PlanDifference, tx: Tx): Promise<void>;
  /** Ids of those planned that are due within `withinMs` by the database's clock, oldest first. */
  due(limit: number, withinMs: number): Promise<string[]>;
  /** When the first of those planned is due; null where none is. */
  nextDue(): Promise<Date | null>;
  /** planned → the status given, for those of the ids that still are planned. @returns these, as they were */
  settle(
    ids: readonly string[],
    statusOf: (reminder: PlannedReminder) => 'raised' | 'expired',
    tx: Tx,
  ): Promise<PlannedReminder[]>;
  ofEvent(scope: Scope, event_id: string): Promise<PlannedReminder[]>;
};
