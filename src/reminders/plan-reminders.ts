import type { KeepInStep } from '../events/ports.ts';
import type { Clock } from '../kernel/clock.ts';
import { wantedPlan } from './plan.ts';
import type { ReminderStore } from './ports.ts';

/**
 * Keeps the stored plan equal to the wanted one within the transaction of every change of the event: nothing stale is
 * left behind, and planning the same event twice changes nothing.
 */
export const planReminders =
  (deps: { clock: Clock; reminders: ReminderStore }): KeepInStep =>
  async (changes, tx) => {
    const planned = changes.filter(({ before, after }) => after.reminders.length > 0 || before?.reminders.length);
    if (planned.length === 0) return;
    const now = deps.clock.now();
    const wanted = planned.flatMap(({ after }) => wantedPlan(after, now));
    await deps.reminders.bringInto(
      planned.map(({ after }) => after.id),
      wanted,
      tx,
    );
  };
