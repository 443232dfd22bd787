import type { EventStore } from '../events/ports.ts';
import { eventIdOf } from '../ingest/item.ts';
import { Refused } from '../kernel/errors.ts';
import type { Caller } from '../people/caller.ts';
import { EVENTS } from './paths.ts';

/**
 * Runs something about the event a path names; where nothing is found, once more for the event that another service
 * calls so. What answers `not_found` has changed nothing.
 */
export async function byEitherId<T>(
  deps: { events: Pick<EventStore, 'find'> },
  caller: Caller,
  url: string,
  params: unknown,
  run: (params: unknown) => Promise<T>,
): Promise<T> {
  try {
    return await run(params);
  } catch (error) {
    const isMissing = error instanceof Refused && error.refusal.code === 'not_found';
    if (!isMissing || !url.startsWith(`${EVENTS}/:id`)) throw error;
    const { id, ...rest } = params as { id: string };
    const ours = eventIdOf(caller, id);
    if (!(await deps.events.find(caller, ours))) throw error;
    return run({ ...rest, id: ours });
  }
}
