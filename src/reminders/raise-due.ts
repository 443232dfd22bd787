import type { Clock } from '../core/clock.ts';
import { processInChunks } from '../core/in-chunks.ts';
import type { Transact, TransactOnce, Tx } from '../core/transaction.ts';
import type { FactStore } from '../outbox/ports.ts';
import type { PlannedReminder } from './plan.ts';
import { reminderFact } from './plan-reminders.ts';
import type { ReminderStore } from './ports.ts';

/** Reminders that are raised in one transaction, and ids that are looked for at a time. */
const CHUNK = 200;
const ROUND = 2_000;
/** Transactions under way at a time: while one waits for the journal, others work. */
const CONCURRENCY = 3;

/**
 * How long before its time a reminder is raised: by then its messages are written and lie ready, so that ten thousand of
 * one moment have only to leave.
 */
export const AHEAD_MS = 10_000;

type RaiseDeps = {
  transact: Transact;
  transactOnce: TransactOnce;
  clock: Clock;
  reminders: Pick<ReminderStore, 'due' | 'settle'>;
  facts: Pick<FactStore, 'record'>;
};

/**
 * Turns reminders whose time has nearly come into facts, which say when people are told. After an outage those that are
 * still of use are raised late, and those whose event has begun are `expired`, with a fact that tells everyone concerned
 * why. Any number of clocks may do so at once: a reminder is settled in the transaction that records its fact, by one of
 * them.
 * @returns how many were settled
 */
export async function raiseDue(deps: RaiseDeps, signal?: AbortSignal): Promise<number> {
  let settled = 0;
  for (;;) {
    const due = await deps.reminders.due(ROUND, AHEAD_MS);
    const options = { size: CHUNK, concurrency: CONCURRENCY, ...(signal ? { signal } : {}) };
    const done = await processInChunks(deps, due, (ids, tx) => settleDue(deps, ids, tx), options);
    settled += done;
    if (due.length < ROUND || done === 0 || signal?.aborted) return settled;
  }
}

async function settleDue(deps: RaiseDeps, ids: readonly string[], tx: Tx): Promise<number> {
  const now = deps.clock.now();
  const isLate = (reminder: PlannedReminder) => reminder.expires_at <= now;
  const settled = await deps.reminders.settle(ids, (reminder) => (isLate(reminder) ? 'expired' : 'raised'), tx);
  const facts = settled.map((reminder) => reminderFact(reminder, now, isLate(reminder) ? 'expired' : undefined));
  if (facts.length > 0) await deps.facts.record(facts, tx);
  return settled.length;
}
