import type { FactStore } from '../facts/ports.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Transact } from '../kernel/transaction.ts';
import { scopeOf } from '../people/caller.ts';
import type { ReminderStore } from './ports.ts';

const BATCH = 200;

/**
 * Turns reminders whose time has come into facts. Any number of clocks may do so at once: a reminder is raised in the
 * transaction that records its fact, by one of them.
 * @returns how many were raised
 */
export async function raiseDue(deps: {
  transact: Transact;
  clock: Clock;
  reminders: ReminderStore;
  facts: FactStore;
}): Promise<number> {
  let raised = 0;
  for (;;) {
    const due = await deps.reminders.due(BATCH);
    for (const reminder of due) {
      const done = await deps.transact(async (tx) => {
        if (!(await deps.reminders.markRaised(reminder.id, tx))) return false;
        const { id: reminder_id, type, offset, schedule_version, event_id } = reminder;
        const head = { ...scopeOf(reminder), event_id, occurred_at: deps.clock.now(), actor: 'system' as const };
        await deps.facts.record(
          [{ ...head, type: 'reminder.due', data: { reminder_id, type, offset, schedule_version } }],
          tx,
        );
        return true;
      });
      if (done) raised += 1;
    }
    if (due.length < BATCH) return raised;
  }
}
