import type { Tx } from '../core/transaction.ts';
import type { Scope } from '../people/caller.ts';
import type { PlanDifference } from './difference.ts';
import type { PlannedReminder } from './plan.ts';

export type ReminderStore = {
  /** All reminders of these events, including old schedule versions; in no order. */
  listOfEvents(event_ids: readonly string[], tx?: Tx): Promise<PlannedReminder[]>;
  apply(difference: PlanDifference, tx: Tx): Promise<void>;
  /** Ids of planned reminders that are due within `withinMs` by the database's clock, oldest first. */
  findDue(limit: number, withinMs: number): Promise<string[]>;
  /** When the next planned reminder is due; null if none is planned. */
  nextDue(): Promise<Date | null>;
  /** Changes reminders that are still planned to the status given. @returns these, as they were before */
  recordOutcome(
    ids: readonly string[],
    statusOf: (reminder: PlannedReminder) => 'raised' | 'expired',
    tx: Tx,
  ): Promise<PlannedReminder[]>;
  listOfEvent(scope: Scope, event_id: string): Promise<PlannedReminder[]>;
};
