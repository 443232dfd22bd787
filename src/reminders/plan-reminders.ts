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
  async (before, after, tx) => {
    if (!before && after.reminders.length === 0) return;
    if (before && before.reminders.length === 0 && after.reminders.length === 0) return;
    await deps.reminders.bringInto(after.id, wantedPlan(after, deps.clock.now()), tx);
  };
