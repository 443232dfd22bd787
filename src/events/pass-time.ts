import { groupBy } from '../core/groups.ts';
import { processDue, type Tx } from '../core/transaction.ts';
import { type Change, storeChanges } from './apply-plan.ts';
import type { SchoolEvent } from './event.ts';
import type { EventDeps } from './ports.ts';
import { type ClockAction, isDue } from './rules/lifecycle.ts';
import { inOneMessage, seriesIdOf } from './rules/series.ts';
import { type Move, moved } from './rules/transitions.ts';

/** Events moved in one transaction; fewer for publications, which may include a series. */
const CHUNK = { publish: 20, start: 100, complete: 100 } as const;

/**
 * Makes one kind of move for all events that are due: publishes scheduled events, starts published ones, completes running
 * ones (docs/decisions.md, "Lifecycle"). Each event moves once, with its fact and all effects, because the transaction that
 * writes it reads it again. An event whose end has passed is first started, then completed. Any number of clocks may run, and
 * any may be killed at any point.
 * @returns how many moves were made
 */
export function makeDueMoves(deps: EventDeps, action: ClockAction, signal?: AbortSignal): Promise<number> {
  const findDue = (limit: number) => deps.events.findDue(action, limit);
  return processDue(deps, findDue, (ids, tx) => moveDue(deps, action, ids, tx), { size: CHUNK[action], signal });
}

async function moveDue(deps: EventDeps, action: ClockAction, ids: readonly string[], tx: Tx): Promise<number> {
  const now = deps.clock.now();
  const events = (await deps.events.findMany(ids, tx)).filter((event) => isDue(event, action, now));
  const changes =
    action === 'publish' ? await planPublications(deps, events, now, tx) : changesOf(events, { action }, now);
  await storeChanges(deps, changes, tx);
  return changes.length;
}

/** Publishes the due occurrences of a series together, so that the audience is notified once. */
async function planPublications(deps: EventDeps, events: readonly SchoolEvent[], now: Date, tx: Tx): Promise<Change[]> {
  const changes: Change[] = [];
  for (const [event] of groupBy(events, seriesIdOf)) {
    const series = event.is_recurring ? await deps.events.findSeries(event, seriesIdOf(event), tx) : [event];
    const due = series.filter((one) => isDue(one, 'publish', now));
    changes.push(...inOneMessage(changesOf(due, { action: 'publish' }, now), now));
  }
  return changes;
}

/** The possible moves. Events that break a rule are skipped so that they don't block the others. */
const changesOf = (events: readonly SchoolEvent[], move: Move, now: Date): Change[] =>
  events.flatMap((event) => {
    const change = moved(event, move, 'system', now);
    return 'after' in change ? [change] : [];
  });

/**
 * Publishes a scheduled event if it is due, as `system`, with the due occurrences of its series.
 * @returns the event, published or unchanged
 */
export async function publishIfDue(deps: EventDeps, event: SchoolEvent): Promise<SchoolEvent> {
  if (!isDue(event, 'publish', deps.clock.now())) return event;
  await deps.transact((tx) => moveDue(deps, 'publish', [event.id], tx));
  return (await deps.events.find(event, event.id)) ?? event;
}
