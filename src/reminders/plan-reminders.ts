import type { Clock } from '../core/clock.ts';
import { mapBy } from '../core/groups.ts';
import type { Moment } from '../core/paging.ts';
import { type TransactOnce, type Tx, unlessContended } from '../core/transaction.ts';
import type { SchoolEvent } from '../events/event.ts';
import { isHeld } from '../events/held-change.ts';
import type { EventStore, OnEventsChanged } from '../events/ports.ts';
import type { NewFact } from '../outbox/fact.ts';
import type { FactStore } from '../outbox/ports.ts';
import { scopeOf } from '../people/caller.ts';
import {
  type EventReminder,
  isEmpty,
  isLate,
  isOfEvent,
  type PlanDifference,
  type PlannedReminder,
  planDifference,
  type ReminderStore,
  wantedPlan,
} from './plan.ts';

type PlanDeps = { clock: Clock; reminders: ReminderStore; facts: FactStore };

/**
 * Updates the stored reminders in the transaction of every change of an event, so that no stale reminder is left. Planning
 * the same event twice changes nothing.
 */
export const planReminders =
  (deps: PlanDeps): OnEventsChanged =>
  async (changes, tx) => {
    const events = changes
      .filter(({ before, after }) => hasReminders(after) || (before && hasReminders(before)))
      .map(({ after }) => after);
    await syncPlans(deps, events, tx);
  };

const hasReminders = ({ reminders, acknowledgement_reminder }: SchoolEvent): boolean =>
  reminders.length > 0 || Boolean(acknowledgement_reminder);

/**
 * Writes the difference between the stored and the wanted plans of these events. Records a fact for each new reminder whose
 * time has passed, which explains why people who are registered now or later got none.
 * @returns how many reminders were written
 */
export async function syncPlans(deps: PlanDeps, events: readonly SchoolEvent[], tx: Tx): Promise<number> {
  if (events.length === 0) return 0;
  const now = deps.clock.now();
  const ids = events.map(({ id }) => id);
  const stored = await deps.reminders.listOfEvents(ids, tx);
  const difference = differenceOf(events, stored, now);
  await deps.reminders.apply(difference, tx);
  await deps.facts.record(missedFacts(events, difference, now), tx);
  return difference.insert.length + difference.change.length;
}

/** The differences between stored and wanted plans of many events, merged. */
function differenceOf(events: readonly SchoolEvent[], stored: readonly PlannedReminder[], now: Date): PlanDifference {
  const rowsOf = mapBy(stored, ({ event_id }) => [event_id]);
  const all = events.map((event) => planDifference(rowsOf.get(event.id) ?? [], wantedPlan(event, now), event, now));
  return { insert: all.flatMap(({ insert }) => insert), change: all.flatMap(({ change }) => change) };
}

function missedFacts(events: readonly SchoolEvent[], { insert, change }: PlanDifference, now: Date): NewFact[] {
  const isExplained = ({ registration_type, starts_at, current_attendees }: SchoolEvent) =>
    current_attendees > 0 || (registration_type !== 'none' && starts_at > now);
  const explained = new Set(events.filter(isExplained).map(({ id }) => id));
  return [...insert, ...change]
    .filter(isOfEvent)
    .filter((row) => explained.has(row.event_id) && row.status === 'past_due')
    .map((row) => ({ ...headOf(row, now), type: 'reminder.due', data: { ...dataOf(row), missed: 'past_due' } }));
}

/** The fact that a reminder is due, or that it was missed; none for a reminder to confirm that was missed. */
export function reminderFacts(reminder: PlannedReminder, now: Date): NewFact[] {
  const head = headOf(reminder, now);
  const isMissed = isLate(reminder, now);
  const when = reminder.due_at > now ? { tell_at: reminder.due_at } : {};
  if (isOfEvent(reminder)) {
    const missed = isMissed ? { missed: 'expired' as const } : when;
    return [{ ...head, type: 'reminder.due', data: { ...dataOf(reminder), ...missed } }];
  }
  const { channels } = reminder;
  return isMissed ? [] : [{ ...head, type: 'acknowledgement.reminded', data: { channels, ...when } }];
}

const headOf = (reminder: PlannedReminder, now: Date) => ({
  ...scopeOf(reminder),
  event_id: reminder.event_id,
  occurred_at: now,
  actor: 'system' as const,
});

const dataOf = ({ id: reminder_id, type, offset, schedule_version }: EventReminder) => ({
  reminder_id,
  type,
  offset,
  schedule_version,
});

type PreviewedReminder = Pick<EventReminder, 'type' | 'offset' | 'due_at'> & { status: 'planned' | 'past_due' };

/**
 * Previews the effect of changes on reminders, with the same comparison as `syncPlans`. Writes nothing.
 * @param changes all events that would change
 * @param event_id the event whose reminders are returned
 */
export async function previewReminders(
  deps: Pick<PlanDeps, 'clock' | 'reminders'>,
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

/** How late held changes may be released, for example after an outage. */
const RELEASED_MS = 3_600_000;

type AuditDeps = PlanDeps & { transactOnce: TransactOnce; events: EventStore };

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
  // The plan of an event follows a held change when it is released.
  const released = events.filter((event) => !isHeld(event, new Date(now.getTime() - RELEASED_MS)));
  const different = released.filter((event) => !isEmpty(differenceOf([event], stored, now)));
  const repaired: string[] = [];
  for (const { id } of different) if (await repair(deps, id)) repaired.push(id);
  const last = events.at(-1);
  return { repaired, next: last && events.length === limit ? { at: last.starts_at, id: last.id } : null };
}

/** Compares again in a transaction, because the event may have changed since. */
const repair = (deps: AuditDeps, id: string): Promise<boolean> =>
  unlessContended(
    deps.transactOnce(async (tx) => (await syncPlans(deps, await deps.events.findMany([id], tx), tx)) > 0),
    false,
  );
