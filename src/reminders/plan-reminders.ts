import type { Clock } from '../core/clock.ts';
import type { Tx } from '../core/transaction.ts';
import type { SchoolEvent } from '../events/event.ts';
import type { OnEventsChanged } from '../events/ports.ts';
import type { NewFact } from '../outbox/fact.ts';
import type { FactStore } from '../outbox/ports.ts';
import { scopeOf } from '../people/caller.ts';
import { type PlanDifference, planDifference } from './difference.ts';
import { type PlannedReminder, wantedPlan } from './plan.ts';
import type { ReminderStore } from './ports.ts';

export type PlanDeps = {
  clock: Clock;
  reminders: Pick<ReminderStore, 'ofEvents' | 'apply'>;
  facts: Pick<FactStore, 'record'>;
};

/**
 * Keeps the stored plan equal to the wanted one within the transaction of every change of the event: nothing stale is
 * left behind, and planning the same event twice changes nothing.
 */
export const planReminders =
  (deps: PlanDeps): OnEventsChanged =>
  async (changes, tx) => {
    const events = changes
      .filter(({ before, after }) => after.reminders.length > 0 || before?.reminders.length)
      .map(({ after }) => after);
    await bringPlansInStep(deps, events, tx);
  };

/**
 * Compares the plans of these events, as they are in the transaction, with what is stored and writes the difference.
 * People who are registered when a reminder turns out to be past already learn why they got none: a fact says so.
 * @returns how many reminders were not as they should be
 */
export async function bringPlansInStep(deps: PlanDeps, events: readonly SchoolEvent[], tx: Tx): Promise<number> {
  if (events.length === 0) return 0;
  const now = deps.clock.now();
  const stored = await deps.reminders.ofEvents(
    events.map((event) => event.id),
    tx,
  );
  const difference = differenceOf(events, stored, now);
  await deps.reminders.apply(difference, tx);
  const missed = events.flatMap((event) => missedBy(event, difference, now));
  if (missed.length > 0) await deps.facts.record(missed, tx);
  return difference.insert.length + difference.change.length;
}

/** What is not as it should be, over many events. */
export function differenceOf(
  events: readonly SchoolEvent[],
  stored: readonly PlannedReminder[],
  now: Date,
): PlanDifference {
  const rowsOf = new Map<string, PlannedReminder[]>(events.map((event) => [event.id, []]));
  for (const row of stored) rowsOf.get(row.event_id)?.push(row);
  const all = events.map((event) => planDifference(rowsOf.get(event.id) ?? [], wantedPlan(event, now), event, now));
  return { insert: all.flatMap(({ insert }) => insert), change: all.flatMap(({ change }) => change) };
}

function missedBy(event: SchoolEvent, { insert }: PlanDifference, now: Date): NewFact<'reminder.due'>[] {
  if (event.status !== 'published' || event.current_attendees === 0) return [];
  return insert
    .filter((row) => row.event_id === event.id && row.status === 'past_due')
    .map((row) => reminderFact(row, now, 'past_due'));
}

/** The fact that a reminder's time has come, or that it came too late to be told. */
export function reminderFact(
  reminder: PlannedReminder,
  now: Date,
  missed?: 'past_due' | 'expired',
): NewFact<'reminder.due'> {
  const { id: reminder_id, type, offset, schedule_version, event_id, due_at } = reminder;
  const tells = missed ? { missed } : due_at > now ? { tell_at: due_at } : {};
  const data = { reminder_id, type, offset, schedule_version, ...tells };
  return { ...scopeOf(reminder), event_id, occurred_at: now, actor: 'system', type: 'reminder.due', data };
}
