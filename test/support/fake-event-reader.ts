import { chunksOf } from '../../src/core/chunks-of.ts';
import type { SchoolEvent } from '../../src/events/event.ts';
import type { EventPage, EventReader, EventTally } from '../../src/events/ports.ts';
import { type EventFilter, startsOn, takesPlaceOn, UPCOMING } from '../../src/events/rules/filter.ts';
import { searchWordsOf } from '../../src/events/rules/search-words.ts';
import type { VisibleEvents } from '../../src/people/visible-events.ts';

/** What a filter says, asked of one event: what queries of the real store are compared with. */
export function fits(event: SchoolEvent, filter: EventFilter): boolean {
  const among = (values: readonly string[] | undefined, own: readonly (string | null)[]) =>
    values === undefined || own.some((value) => value !== null && values.includes(value));
  const { start_date_from: from, start_date_to: to } = filter;
  return (
    among(filter.event_type, [event.event_type]) &&
    among(filter.status, [event.status]) &&
    among(filter.visibility, [event.visibility]) &&
    among(filter.organizer_id, [event.organizer_id]) &&
    among(filter.department_id, [event.department_id]) &&
    among(filter.class_id, [event.class_id]) &&
    among(filter.tags, event.tags) &&
    among(filter.categories, event.categories) &&
    (filter.is_featured === undefined || filter.is_featured === event.is_featured) &&
    (filter.is_recurring === undefined || filter.is_recurring === event.is_recurring) &&
    (from === undefined || event.start_date >= from) &&
    (to === undefined || event.start_date <= to) &&
    (filter.words ?? []).every((word) => searchWordsOf(event).some((own) => own.startsWith(word))) &&
    !(filter.without_drafts && event.status === 'draft') &&
    (!filter.during || takesPlaceOn(event, filter.during)) &&
    (!filter.starts_on || startsOn(event, filter.starts_on)) &&
    (!filter.upcoming_at || (UPCOMING.includes(event.status) && event.starts_at > filter.upcoming_at))
  );
}

/** `VisibleEvents`, asked of one event, word by word as its description has it. */
export function isVisible(event: SchoolEvent, visible: VisibleEvents): boolean {
  if (event.tenant_id !== visible.tenant_id || event.school_id !== visible.school_id || event.deleted_at) return false;
  if (visible.all || (visible.organizer_id !== null && event.organizer_id === visible.organizer_id)) return true;
  const { statuses, levels, restricted } = visible;
  const shown = 'only' in statuses ? statuses.only.includes(event.status) : !statuses.except.includes(event.status);
  if (!shown) return false;
  if (event.visibility !== 'restricted') return levels.includes(event.visibility);
  const limits = event.restricted_to ?? {};
  if (!restricted) return false;
  if (limits.user_ids?.some((id) => restricted.user_ids.includes(id))) return true;
  const set = (['roles', 'class_ids', 'grade_level_ids', 'department_ids'] as const).filter(
    (list) => (limits[list]?.length ?? 0) > 0,
  );
  return restricted.groups.some(
    (group) =>
      set.length > 0 &&
      set.every((list) => limits[list]?.some((value) => (group[list] as readonly string[]).includes(value))),
  );
}

/** The reading side over events in memory. */
export function fakeEventReader(events: () => readonly SchoolEvent[]): EventReader {
  const all = (visible: VisibleEvents, filters: readonly EventFilter[]) =>
    events().filter((event) => isVisible(event, visible) && filters.every((filter) => fits(event, filter)));
  const order = (a: { at: Date; id: string }, b: { at: Date; id: string }) =>
    a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  const placeOf = ({ starts_at, id }: SchoolEvent) => ({ at: starts_at, id });
  const inOrder = (
    visible: VisibleEvents,
    filters: readonly EventFilter[],
    { descending = false, after }: EventPage,
  ): SchoolEvent[] => {
    const sign = descending ? -1 : 1;
    return all(visible, filters)
      .filter((event) => !after || sign * order(placeOf(event), after) > 0)
      .sort((a, b) => sign * order(placeOf(a), placeOf(b)));
  };
  return {
    page: async (visible, filters, page) => {
      const found = inOrder(visible, filters, page);
      return { events: found.slice(0, page.limit), has_more: found.length > page.limit };
    },
    async *batches(visible, filters, _fields, page) {
      yield* chunksOf(inOrder(visible, filters, page).slice(0, page.limit), 3);
    },
    tally: async (visible, filters, now) =>
      all(visible, filters).map(
        ({ event_type, status, starts_at, current_attendees }): EventTally => ({
          event_type,
          status,
          count: 1,
          ahead: starts_at > now ? 1 : 0,
          seats: current_attendees,
        }),
      ),
    tenantsOf: async (school_id) => [
      ...new Set(
        events()
          .filter((event) => event.school_id === school_id)
          .map(({ tenant_id }) => tenant_id),
      ),
    ],
  };
}
