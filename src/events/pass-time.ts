import { inChunks } from '../kernel/in-chunks.ts';
import type { Attempt, Tx } from '../kernel/transaction.ts';
import { scopeOf } from '../people/caller.ts';
import { storeChanges } from './carry-out.ts';
import { type ClockAction, isDue } from './due.ts';
import type { SchoolEvent } from './event.ts';
import { moveBySystem } from './move.ts';
import { moved } from './moves.ts';
import type { EventDeps } from './ports.ts';

/** Events that are moved in one transaction, and ids that are looked for at a time. */
const CHUNK = 100;
const ROUND = 2_000;

/**
 * Makes one kind of move for all events whose moment has come: publishes scheduled ones, starts published ones,
 * completes running ones (decisions.md, "Lifecycle"). Guaranteed: each moves once, with its fact and all effects, since
 * it is read again in the transaction that writes it; one whose end is already past goes through both states. Any number
 * of clocks may run at once, and any may die at any point.
 * @returns how many moves were made
 */
export async function passTime(
  deps: EventDeps & { attempt: Attempt },
  action: ClockAction,
  signal?: AbortSignal,
): Promise<number> {
  let moves = 0;
  for (;;) {
    const due = await deps.events.due(action, ROUND);
    const options = { size: CHUNK, ...(signal ? { signal } : {}) };
    const made = await inChunks(deps, due, (ids, tx) => moveDue(deps, action, ids, tx), options);
    moves += made;
    // What could not be moved now, because somebody else is at it or a rule says no, is there again at the next tick.
    if (due.length < ROUND || made === 0 || signal?.aborted) return moves;
  }
}

async function moveDue(deps: EventDeps, action: ClockAction, ids: readonly string[], tx: Tx): Promise<number> {
  const now = deps.clock.now();
  const events = await deps.events.findMany(ids, tx);
  const changes = events
    .filter((event) => isDue(event, action, now))
    .map((event) => moved(event, { action }, 'system', now))
    // One event that breaks a rule must not hold up the others.
    .flatMap((change) => ('after' in change ? [change] : []));
  if (changes.length > 0) await storeChanges(deps, changes, tx);
  return changes.length;
}

/**
 * Publishes a scheduled event whose `publish_at` has come, with all effects of publishing, in the name of `system`.
 * @returns the event as it is now
 */
export async function publishIfDue(deps: EventDeps, event: SchoolEvent): Promise<SchoolEvent> {
  const stillDue = (one: SchoolEvent) => isDue(one, 'publish', deps.clock.now());
  if (!stillDue(event)) return event;
  const move = { action: 'publish' } as const;
  const published = await moveBySystem(deps, scopeOf(event), { id: event.id, move, stillDue });
  return published ?? (await deps.events.find(event, event.id)) ?? event;
}
