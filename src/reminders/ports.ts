import type { Tx } from '../kernel/transaction.ts';
import type { Scope } from '../people/caller.ts';
import type { PlannedReminder } from './plan.ts';

export type ReminderStore = {
  /** Inserts what is missing and drops what is planned but no longer wanted; rows already raised stay as they are. */
  bringInto(event_ids: readonly string[], wanted: readonly PlannedReminder[], tx: Tx): Promise<void>;
  /** Planned and due by the database's clock, oldest first. */
  due(limit: number): Promise<PlannedReminder[]>;
  /** planned → raised. @returns false where somebody else was first */
  markRaised(id: string, tx: Tx): Promise<boolean>;
  ofEvent(scope: Scope, event_id: string): Promise<PlannedReminder[]>;
};
