import { processDue, type Tx } from '../core/transaction.ts';
import type { FactDeps } from '../outbox/ports.ts';
import { isLate, type ReminderStore } from './plan.ts';
import { reminderFacts } from './plan-reminders.ts';

/** Reminders raised in one transaction. */
const CHUNK = 200;

/**
 * How long before its time a reminder is raised, so that its messages are rendered and queued in advance and ten thousand
 * can be sent at one moment.
 */
export const AHEAD_MS = 10_000;

type RaiseDeps = FactDeps & { reminders: ReminderStore };

/**
 * Turns reminders that will soon be due into facts with the time to send them. After an outage, raises late reminders, and
 * expires those whose event has begun, with a fact that explains it to the recipients. Any number of clocks may run: one of
 * them changes the reminder in the transaction that records its fact.
 * @returns how many reminders were raised or expired
 */
export function raiseDue(deps: RaiseDeps, signal?: AbortSignal): Promise<number> {
  const findDue = (limit: number) => deps.reminders.findDue(limit, AHEAD_MS);
  return processDue(deps, findDue, (ids, tx) => raise(deps, ids, tx), { size: CHUNK, signal });
}

/** When the next reminder has to be raised. */
export async function findNextToRaise({ reminders }: Pick<RaiseDeps, 'reminders'>): Promise<Date | null> {
  const due = await reminders.findNextDue();
  return due && new Date(due.getTime() - AHEAD_MS);
}

async function raise(deps: RaiseDeps, ids: readonly string[], tx: Tx): Promise<number> {
  const now = deps.clock.now();
  const changed = await deps.reminders.recordOutcome(
    ids,
    (reminder) => (isLate(reminder, now) ? 'expired' : 'raised'),
    tx,
  );
  const facts = changed.flatMap((reminder) => reminderFacts(reminder, now));
  await deps.facts.record(facts, tx);
  return changed.length;
}
