import type { Clock } from '../core/clock.ts';
import type { SchoolEvent } from '../events/event.ts';
import { type EventReminder, isOfEvent, wantedPlan } from './plan.ts';
import { differenceOf } from './plan-reminders.ts';
import type { ReminderStore } from './ports.ts';

type PreviewedReminder = Pick<EventReminder, 'type' | 'offset' | 'due_at'> & { status: 'planned' | 'past_due' };

/**
 * Previews the effect of changes on reminders, with the same comparison as `syncPlans`. Writes nothing.
 * @param changes all events that would change
 * @param event_id the event whose reminders are returned
 */
export async function previewReminders(
  deps: { clock: Clock; reminders: Pick<ReminderStore, 'listOfEvents'> },
  changes: readonly { after: SchoolEvent }[],
  event_id: string,
): Promise<{ planned: PreviewedReminder[]; dropped: number }> {
  const now = deps.clock.now();
  const events = changes.map(({ after }) => after);
  const stored = await deps.reminders.listOfEvents(events.map(({ id }) => id));
  const asked = events.filter(({ id }) => id === event_id).flatMap((event) => wantedPlan(event, now).filter(isOfEvent));
  // A reminder that was planned in time stays planned when it is due.
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
