import { scopeOf } from '../people/caller.ts';
import type { SchoolEvent } from './event.ts';
import { moveBySystem } from './move.ts';
import type { Move } from './moves.ts';
import type { EventDeps } from './ports.ts';

const BATCH = 200;

/**
 * Publishes scheduled events whose moment has come, starts published ones whose start has come and completes running
 * ones whose end has (decisions.md, "Lifecycle"). One whose end is already past goes through both states, each with its
 * own fact. Any number of clocks may run at once.
 * @returns how many moves were made
 */
export async function passTime(deps: EventDeps): Promise<number> {
  let moves = 0;
  for (;;) {
    const publishing = await deps.events.dueToPublish(BATCH);
    for (const event of publishing) moves += (await publishIfDue(deps, event)).status === 'published' ? 1 : 0;
    const starting = await deps.events.dueToStart(BATCH);
    for (const event of starting) {
      const unmoved = (now: SchoolEvent) => now.schedule_version === event.schedule_version;
      moves += await settle(deps, event, { action: 'start' }, unmoved);
    }
    const ending = await deps.events.dueToComplete(BATCH);
    for (const event of ending) moves += await settle(deps, event, { action: 'complete' }, () => true);
    if ([publishing, starting, ending].every((due) => due.length < BATCH)) return moves;
  }
}

/**
 * Publishes a scheduled event whose `publish_at` has come, with all effects of publishing, in the name of `system`.
 * @returns the event as it is now
 */
export async function publishIfDue(deps: EventDeps, event: SchoolEvent): Promise<SchoolEvent> {
  const due = ({ status, publish_at }: SchoolEvent) =>
    status === 'scheduled' && publish_at !== null && publish_at <= deps.clock.now();
  if (!due(event)) return event;
  const move: Move = { action: 'publish' };
  const published = await moveBySystem(deps, scopeOf(event), { id: event.id, move, stillDue: due });
  return published ?? (await deps.events.find(event, event.id)) ?? event;
}

async function settle(
  deps: EventDeps,
  event: SchoolEvent,
  move: Move,
  stillDue: (event: SchoolEvent) => boolean,
): Promise<0 | 1> {
  return (await moveBySystem(deps, scopeOf(event), { id: event.id, move, stillDue })) ? 1 : 0;
}
