import { mapBy } from '../core/groups.ts';
import { fromKeys } from '../core/objects.ts';
import { encodeCursor, type Moment, type Page } from '../core/paging.ts';
import { type Caller, GROUP_LISTS, may, scopeOf } from '../people/caller.ts';
import type { ContactStore } from '../people/ports.ts';
import type { Viewer } from '../people/visibility.ts';
import { visibleTo } from '../people/visible-events.ts';
import type { SchoolEvent } from './event.ts';
import type { ReadAlways, ReadingDeps } from './ports.ts';
import { type EventFilter, type QuickFilter, quickFilter } from './rules/filter.ts';

type ListInput<F extends keyof SchoolEvent> = {
  fields: readonly F[];
  filter: EventFilter;
  quick?: readonly QuickFilter[];
  descending: boolean;
  limit: number;
  after: Moment | null;
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
  const { events, has_more } = await deps.eventReader.findPage(visibleTo(viewer), filters, fields, {
    descending,
    limit,
    after,
  });
  const last = events.at(-1);
  const next_cursor =
    has_more && last ? encodeCursor({ at: last.starts_at.toISOString(), id: last.id }, boundTo) : null;
  return { data: events, next_cursor, has_more };
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

/** A value to filter events by: how many of the latest events have it, and how many people are in the group. */
type Group = { id: string; events: number; people: number | null };

export const GROUP_KINDS = [...GROUP_LISTS, 'tags', 'categories'] as const;
type GroupKind = (typeof GROUP_KINDS)[number];

/** Events whose values are collected. Values for filters are in recent use; classes also come from the directory. */
const LATEST = 1_000;

/**
 * Lists the classes, grades, departments, tags and categories of the latest events that the caller may see. For callers who
 * may choose an audience it adds the groups of the directory with their sizes. Reads only.
 */
export async function listGroups(
  deps: ReadingDeps & { contacts: Pick<ContactStore, 'countGroups'> },
  caller: Caller,
): Promise<Record<GroupKind, Group[]>> {
  const [used, known] = await Promise.all([
    loadByValue(deps, caller),
    may(caller, 'choose_audience') ? deps.contacts.countGroups(scopeOf(caller)) : null,
  ]);
  const of = (kind: GroupKind): Group[] => {
    const listed = kind === 'tags' || kind === 'categories' ? null : known?.[kind];
    const people = new Map(listed?.map((one) => [one.id, one.people]));
    return [...new Set([...people.keys(), ...used[kind].keys()])]
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
      .map((id) => ({
        id,
        events: used[kind].get(id)?.length ?? 0,
        people: listed ? (people.get(id) ?? 0) : null,
      }));
  };
  return fromKeys(GROUP_KINDS, of);
}

/** The latest events that the caller sees, by each value. */
async function loadByValue({ eventReader }: ReadingDeps, caller: Caller) {
  const { events } = await eventReader.findPage(visibleTo(caller), [{}], GROUPED, { descending: true, limit: LATEST });
  return fromKeys(GROUP_KINDS, (kind) => mapBy(events, (event) => valuesOf(event, kind)));
}

const GROUPED = ['class_id', 'department_id', 'grade_level_ids', 'tags', 'categories'] as const;

function valuesOf(event: Pick<SchoolEvent, (typeof GROUPED)[number]>, kind: GroupKind): readonly string[] {
  if (kind === 'class_ids') return event.class_id === null ? [] : [event.class_id];
  if (kind === 'department_ids') return event.department_id === null ? [] : [event.department_id];
  return event[kind];
}
