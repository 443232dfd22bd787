import type { SchoolEvent } from '../events/event.ts';
import type { PlannedReminder, PlanStatus } from './plan.ts';

/** The writes that turn the stored plan into the wanted one; empty if they are equal. */
export type PlanDifference = {
  insert: PlannedReminder[];
  change: Pick<PlannedReminder, 'id' | 'status' | 'due_at' | 'expires_at'>[];
};

/**
 * Compares the stored plan of one event with the wanted one. A reminder that was planned in time stays planned when it is
 * due, until the clock raises or expires it; also if the event begins meanwhile. Raised, expired and past reminders never
 * change.
 */
export function planDifference(
  stored: readonly PlannedReminder[],
  wanted: readonly PlannedReminder[],
  { status }: Pick<SchoolEvent, 'status'>,
  now: Date,
): PlanDifference {
  const has = new Map(stored.map((reminder) => [reminder.id, reminder]));
  const wants = new Set(wanted.map((reminder) => reminder.id));
  const hasBegun = status === 'in_progress' || status === 'completed';
  const dropped = stored.filter(
    (row) => row.status === 'planned' && !wants.has(row.id) && !(hasBegun && row.due_at <= now),
  );
  const corrected = wanted.filter((reminder) => {
    const row = has.get(reminder.id);
    // A due reminder belongs to the clock.
    if (row?.status === 'planned' && row.due_at <= now) return false;
    if (row?.status === 'planned') return +row.due_at !== +reminder.due_at || +row.expires_at !== +reminder.expires_at;
    // Dropped and wanted again: the event was unpublished, then published once more.
    return row?.status === 'dropped';
  });
  return {
    insert: wanted.filter((reminder) => !has.has(reminder.id)),
    change: [
      ...dropped.map((row) => changeOf(row, 'dropped')),
      ...corrected.map((reminder) =>
        changeOf(reminder, has.get(reminder.id)?.status === 'planned' ? 'planned' : reminder.status),
      ),
    ],
  };
}

const changeOf = ({ id, due_at, expires_at }: PlannedReminder, status: PlanStatus) => ({
  id,
  due_at,
  expires_at,
  status,
});

export const isEmpty = ({ insert, change }: PlanDifference): boolean => insert.length + change.length === 0;
