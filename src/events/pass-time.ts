import { processInChunks } from '../core/in-chunks.ts';
import type { TransactOnce, Tx } from '../core/transaction.ts';
import { storeChanges } from './apply-plan.ts';
import type { Change } from './change.ts';
import type { SchoolEvent } from './event.ts';
import type { EventDeps } from './ports.ts';
import { type ClockAction, isDue } from './rules/due.ts';
import { leadOccurrenceOf } from './rules/lead-occurrence.ts';
import { type Move, moved } from './rules/transitions.ts';

/** Events that are moved in one transaction (one to be published may bring its series), and ids that are looked for at a time. */
const CHUNK = { publish: 20, start: 100, complete: 100 } as const;
const ROUND = 2_000;
/** Transactions under way at a time: while one waits for the journal, others work. */
const CONCURRENCY = 3;

/**
 * Makes one kind of move for all events whose moment has come: publishes scheduled ones, starts published ones,
 * completes running ones (decisions.md, "Lifecycle"). Guaranteed: each moves once, with its fact and all effects, since
 * it is read again in the transaction that writes it; one whose end is already past goes through both states. Any number
 * of clocks may run at once, and any may die at any point.
 * @returns how many moves were made
 */
export async function passTime(
  deps: EventDeps & { transactOnce: TransactOnce },
  action: ClockAction,
  signal?: AbortSignal,
): Promise<number> {
  let moves = 0;
  for (;;) {
    const due = await deps.events.due(action, ROUND);
    const options = { size: CHUNK[action], concurrency: CONCURRENCY, ...(signal ? { signal } : {}) };
    const made = await processInChunks(deps, due, (ids, tx) => moveDue(deps, action, ids, tx), options);
    moves += made;
    // What could not be moved now, because somebody else is at it or a rule says no, is there again at the next tick.
    if (due.length < ROUND || made === 0 || signal?.aborted) return moves;
  }
}

async function moveDue(deps: EventDeps, action: ClockAction, ids: readonly string[], tx: Tx): Promise<number> {
  const now = deps.clock.now();
  const events = (await deps.events.findMany(ids, tx)).filter((event) => isDue(event, action, now));
  const changes =
    action === 'publish' ? await publications(deps, events, now, tx) : changesOf(events, () => ({ action }), now);
  if (changes.length > 0) await storeChanges(deps, changes, tx);
  return changes.length;
}

/** Occurrences of a series that are due together are published together, and their audience is told once. */
async function publications(deps: EventDeps, events: readonly SchoolEvent[], now: Date, tx: Tx): Promise<Change[]> {
  const changes: Change[] = [];
  for (const event of events) {
    if (changes.some(({ after }) => after.id === event.id)) continue;
    const series = event.is_recurring
      ? await deps.events.series(event, event.parent_event_id ?? event.id, tx)
      : [event];
    const due = series.filter((one) => isDue(one, 'publish', now));
    // One that can't be published announces nothing.
    const able = changesOf(due, () => ({ action: 'publish' }), now).flatMap(({ before }) => before ?? []);
    const announcer = leadOccurrenceOf(able, now);
    const quiet = (one: SchoolEvent) => (one.id === announcer ? {} : { announced_with: announcer });
    changes.push(...changesOf(able, (one) => ({ action: 'publish', ...quiet(one) }), now));
  }
  return changes;
}

/** The moves that can be made: one event that breaks a rule must not hold up the others. */
const changesOf = (events: readonly SchoolEvent[], moveOf: (event: SchoolEvent) => Move, now: Date): Change[] =>
  events.flatMap((event) => {
    const change = moved(event, moveOf(event), 'system', now);
    return 'after' in change ? [change] : [];
  });

/**
 * Publishes a scheduled event whose `publish_at` has come, with all effects of publishing, in the name of `system`; with
 * those of its series that are due as well.
 * @returns the event as it is now
 */
export async function publishIfDue(deps: EventDeps, event: SchoolEvent): Promise<SchoolEvent> {
  if (!isDue(event, 'publish', deps.clock.now())) return event;
  await deps.transact((tx) => moveDue(deps, 'publish', [event.id], tx));
  return (await deps.events.find(event, event.id)) ?? event;
}
