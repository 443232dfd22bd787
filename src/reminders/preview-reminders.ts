import type { Clock } from '../core/clock.ts';
import type { SchoolEvent } from '../events/event.ts';
import { type PlannedReminder, wantedPlan } from './plan.ts';
import { differenceOf } from './plan-reminders.ts';
import type { ReminderStore } from './ports.ts';

type Foreseen = Pick<PlannedReminder, 'type' | 'offset' | 'due_at'> & { status: 'planned' | 'past_due' };

/**
 * What a change would do to the plan of reminders, by the same comparison as of the real thing. Comes in: every event as
 * it would be, and which of them is asked about. Writes nothing.
 */
export async function previewReminders(
  deps: { clock: Clock; reminders: Pick<ReminderStore, 'ofEvents'> },
  changes: readonly { after: SchoolEvent }[],
  event_id: string,
): Promise<{ planned: Foreseen[]; dropped: number }> {
  const now = deps.clock.now();
  const events = changes.map(({ after }) => after);
  const stored = await deps.reminders.ofEvents(events.map(({ id }) => id));
  const asked = events.filter(({ id }) => id === event_id).flatMap((event) => wantedPlan(event, now));
  // Once planned in time it stays planned, though its moment has come.
  const kept = new Set(stored.filter(({ status }) => status === 'planned').map(({ id }) => id));
  return {
    planned: asked
      .map(({ id, type, offset, due_at, status }) => ({
        type,
        offset,
        due_at,
        status: status === 'past_due' && !kept.has(id) ? ('past_due' as const) : ('planned' as const),
      }))
      .sort((a, b) => a.due_at.getTime() - b.due_at.getTime()),
    dropped: differenceOf(events, stored, now).change.filter(({ status }) => status === 'dropped').length,
  };
}
