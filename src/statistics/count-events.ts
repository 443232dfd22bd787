import { daysOf } from '../core/days.ts';
import type { ReadingDeps } from '../events/ports.ts';
import type { Viewer } from '../people/visibility.ts';
import { visibleTo } from '../people/visible-events.ts';
import { summaryOf } from './summary.ts';

/**
 * Counts the numbers of §2.9 for the events that a viewer may see. `from` and `to` limit the start date, both included, in
 * the school's zone. The store counts.
 */
export async function countEvents(
  deps: ReadingDeps,
  viewer: Viewer,
  { from, to }: { from?: string | undefined; to?: string | undefined },
) {
  const { timezone } = await deps.schools.find(viewer);
  const days = from || to ? daysOf(from ?? '1900-01-01', to ?? '2999-12-31', timezone) : null;
  return summaryOf(await deps.eventReader.tally(visibleTo(viewer), days, deps.clock.now()));
}
