import { encodeCursor, type Page, type Position, unknownCursor } from '../core/paging.ts';
import type { Viewer } from '../people/visibility.ts';
import { visibleTo } from '../people/visible-events.ts';
import type { SchoolEvent } from './event.ts';
import type { ReadAlways, ReadingDeps } from './ports.ts';
import { type EventFilter, type QuickFilter, quickFilter } from './rules/filter.ts';

type ListInput<F extends keyof SchoolEvent> = {
  fields: readonly F[];
  filter: EventFilter;
  quick?: readonly QuickFilter[] | undefined;
  descending: boolean;
  limit: number;
  after: Position | null;
  /** the filters that the cursor is bound to */
  boundTo: unknown;
};

/**
 * Lists one page of some fields of the events a viewer may see, by start and id. Reads only.
 */
export async function listEvents<F extends keyof SchoolEvent>(
  deps: ReadingDeps,
  viewer: Viewer,
  input: ListInput<F>,
): Promise<Page<Pick<SchoolEvent, F | ReadAlways>>> {
  const { fields, filter, quick = [], descending, limit, after, boundTo } = input;
  const filters = [filter, ...(await loadQuickFilters(deps, viewer, quick))];
  const { events, has_more } = await deps.eventReader.page(visibleTo(viewer), filters, fields, {
    descending,
    limit,
    after: after ? startOf(after) : null,
  });
  const last = events.at(-1);
  const next_cursor =
    has_more && last ? encodeCursor({ at: last.starts_at.toISOString(), id: last.id }, boundTo) : null;
  return { data: events, next_cursor, has_more };
}

function startOf({ at, id }: Position): { at: Date; id: string } {
  const instant = new Date(at);
  if (Number.isNaN(instant.getTime())) throw unknownCursor();
  return { at: instant, id };
}

async function loadQuickFilters(
  deps: ReadingDeps,
  viewer: Viewer,
  quick: readonly QuickFilter[],
): Promise<EventFilter[]> {
  if (quick.length === 0) return [];
  const { timezone } = await deps.schools.find(viewer);
  const now = deps.clock.now();
  return quick.map((one) => quickFilter(one, now, timezone, viewer.user_id ?? ''));
}
