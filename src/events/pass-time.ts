import { moveBySystem } from './move.ts';
import type { EventDeps } from './ports.ts';

const BATCH = 200;

/**
 * Starts published events whose start has come and completes running ones whose end has (decisions.md, "published →
 * in_progress → completed"). One whose end is already past goes through both states, each with its own fact. Any number
 * of clocks may run at once.
 * @returns how many moves were made
 */
export async function passTime(deps: EventDeps): Promise<number> {
  let moves = 0;
  for (;;) {
    const starting = await deps.events.dueToStart(BATCH);
    for (const { id, tenant_id, school_id, schedule_version } of starting) {
      const done = await moveBySystem(
        deps,
        { tenant_id, school_id },
        {
          id,
          move: { action: 'start' },
          stillDue: (event) => event.schedule_version === schedule_version,
        },
      );
      if (done) moves += 1;
    }
    const ending = await deps.events.dueToComplete(BATCH);
    for (const { id, tenant_id, school_id } of ending) {
      const done = await moveBySystem(
        deps,
        { tenant_id, school_id },
        { id, move: { action: 'complete' }, stillDue: () => true },
      );
      if (done) moves += 1;
    }
    if (starting.length < BATCH && ending.length < BATCH) return moves;
  }
}
