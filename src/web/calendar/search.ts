import { createAtom } from '@tanstack/react-store';
import type { CalendarQuery } from '../api/types.ts';
import { day, oneOf, text } from '../app/search.ts';

export const VIEWS = ['month', 'week', 'day', 'agenda'] as const;
export type View = (typeof VIEWS)[number];
export const QUICK = ['today', 'this_week', 'upcoming', 'my_events', 'featured'] as const;
type Quick = (typeof QUICK)[number];

/** Filters with several values: name in the URL → name in the API. */
const LISTS = {
  type: 'event_type',
  status: 'status',
  visibility: 'visibility',
  class: 'class_id',
  department: 'department_id',
  category: 'categories',
  tags: 'tags',
  organizer: 'organizer_id',
  child: 'child_id',
} as const satisfies Record<string, keyof CalendarQuery>;
type ListName = keyof typeof LISTS;
const LIST_NAMES = Object.keys(LISTS) as ListName[];

/** The calendar's URL: view, date and filters. */
export type CalendarSearch = { [name in ListName]?: string[] } & {
  view?: View;
  date?: string;
  quick?: Quick[];
  q?: string;
  /** range of start dates */
  from?: string;
  to?: string;
  /** only recurring events */
  recurring?: true;
  /** the list of drafts instead of the calendar */
  drafts?: true;
};

const listed = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string' && one !== '');

/** Reads the URL; ignores invalid values. */
export function readCalendarSearch(given: Record<string, unknown>): CalendarSearch {
  const from = day(given.from);
  const to = day(given.to);
  const quick = QUICK.filter((one) => listed(given.quick).includes(one));
  const lists = LIST_NAMES.map((name) => [name, orNone(listed(given[name]))]);
  return {
    ...Object.fromEntries(lists),
    view: oneOf(VIEWS, given.view),
    date: day(given.date),
    from,
    to: from && to && to < from ? undefined : to,
    quick: orNone(quick),
    q: text(given.q),
    recurring: String(given.recurring) === 'true' || undefined,
    drafts: String(given.drafts) === 'true' || undefined,
  };
}

const orNone = <T>(list: T[]): T[] | undefined => (list.length > 0 ? list : undefined);

/** Adds the value, or removes it if present; undefined once the list is empty. */
export const flipped = <T extends string>(list: readonly T[] = [], one: T): T[] | undefined =>
  orNone(list.includes(one) ? list.filter((other) => other !== one) : [...list, one]);

/** All filters unset, to spread over a search. */
export const NO_FILTERS: CalendarSearch = (({ view: _view, date: _date, ...filters }) => filters)(
  readCalendarSearch({}),
);

/** Unsets the filters that show a list of events, also of other months, instead of a view; to spread over a search. */
export const NO_LIST: CalendarSearch = { q: undefined, drafts: undefined, from: undefined, to: undefined };

/** Whether a list of events shows instead of a view. */
export const showsList = ({ q, drafts, from, to }: CalendarSearch): boolean =>
  drafts === true || q !== undefined || (from !== undefined && to !== undefined);

/** The search of the calendar as it was shown last, for links back to it. */
export const lastSearch = createAtom<CalendarSearch>({});

/** Number of filters that are set. */
export const countFilters = ({ view: _view, date: _date, ...filters }: CalendarSearch): number =>
  Object.values(filters).reduce((sum: number, value) => sum + (Array.isArray(value) ? value.length : value ? 1 : 0), 0);

/** Number of filters that are set behind “More”. */
export const countOthers = (search: CalendarSearch): number => {
  const { quick: _quick, type: _type, status: _status, child: _child, q: _q, drafts: _drafts, ...others } = search;
  return countFilters(others);
};

/** The filters as query parameters of the API. */
export function filtersOf(search: CalendarSearch): CalendarQuery {
  const { quick, q, from, to, recurring } = search;
  const lists = Object.fromEntries(LIST_NAMES.map((name) => [LISTS[name], search[name]])) as Partial<CalendarQuery>;
  return { ...lists, quick, start_date_from: from, start_date_to: to, is_recurring: recurring, q: text(q?.trim()) };
}
