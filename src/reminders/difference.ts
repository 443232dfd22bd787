import type { SchoolEvent } from '../events/event.ts';
import type { PlannedReminder, PlanStatus } from './plan.ts';

/** What must be written so that the stored plan is the wanted one; empty where it is. */
export type PlanDifference = {
  insert: PlannedReminder[];
  change: Pick<PlannedReminder, 'id' | 'status' | 'due_at' | 'expires_at'>[];
};

/**
 * The stored plan of one event against the wanted one. A reminder keeps its word: once planned in time it stays planned,
 * though its moment has come and nobody has raised it yet; what was raised, expired or past is history and left alone.
 * One that fell due before the event began, and was not raised, is left to the clock: it records what became of it.
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
    // One that has fallen due is the clock's now.
    if (row?.status === 'planned' && row.due_at <= now) return false;
    if (row?.status === 'planned') return +row.due_at !== +reminder.due_at || +row.expires_at !== +reminder.expires_at;
    // Wanted again after it was dropped: unpublished, then published once more.
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

export const isSame = ({ insert, change }: PlanDifference): boolean => insert.length + change.length === 0;
