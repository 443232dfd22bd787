import type { CalendarQuery } from '../api/types.ts';
import { isDay } from '../texts/dates.ts';

export const VIEWS = ['month', 'week', 'day', 'agenda'] as const;
export type View = (typeof VIEWS)[number];
export const QUICK = ['today', 'this_week', 'upcoming', 'my_events', 'featured'] as const;
export type Quick = (typeof QUICK)[number];

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
} as const satisfies Record<string, keyof CalendarQuery>;
export type ListName = keyof typeof LISTS;
const LIST_NAMES = Object.keys(LISTS) as ListName[];

/** The calendar's URL: view, date and filters. */
export type CalendarSearch = { [name in ListName]?: string[] | undefined } & {
  view?: View | undefined;
  date?: string | undefined;
  quick?: Quick[] | undefined;
  q?: string | undefined;
  /** range of start dates */
  from?: string | undefined;
  to?: string | undefined;
  /** only recurring events */
  recurring?: true | undefined;
  /** the list of drafts instead of the calendar */
  drafts?: true | undefined;
};

const listed = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string' && one !== '');

/** Reads the URL; ignores invalid values. */
export function readCalendarSearch(given: Record<string, unknown>): CalendarSearch {
  const search: CalendarSearch = {};
  const view = VIEWS.find((one) => one === given.view);
  if (view) search.view = view;
  const { date, from, to } = given;
  if (isDay(date)) search.date = date;
  if (isDay(from)) search.from = from;
  if (isDay(to) && !(search.from && to < search.from)) search.to = to;
  const quick = QUICK.filter((one) => listed(given.quick).includes(one));
  if (quick.length > 0) search.quick = quick;
  for (const name of LIST_NAMES) {
    const values = listed(given[name]);
    if (values.length > 0) search[name] = values;
  }
  if (typeof given.q === 'string' && given.q !== '') search.q = given.q;
  if (String(given.recurring) === 'true') search.recurring = true;
  if (String(given.drafts) === 'true') search.drafts = true;
  return search;
}

/** All filters unset, to spread over a search. */
export const NO_FILTERS: Partial<CalendarSearch> = {
  ...Object.fromEntries(LIST_NAMES.map((name) => [name, undefined])),
  quick: undefined,
  q: undefined,
  from: undefined,
  to: undefined,
  recurring: undefined,
  drafts: undefined,
};

/** Number of filters that are set. */
export const countFilters = (search: CalendarSearch): number =>
  ['quick' as const, ...LIST_NAMES].reduce((sum, name) => sum + (search[name]?.length ?? 0), 0) +
  [search.q, search.from, search.to, search.recurring, search.drafts].filter(Boolean).length;

/** Number of filters that are set behind “More”. */
export const countOthers = (search: CalendarSearch): number =>
  countFilters({ ...search, quick: undefined, type: undefined, status: undefined, q: undefined, drafts: undefined });

/** The filters as query parameters of the API. */
export function filtersOf(search: CalendarSearch): CalendarQuery {
  const { quick, q, from, to, recurring } = search;
  const words = q?.trim();
  const lists = LIST_NAMES.flatMap((name) => (search[name] ? [[LISTS[name], search[name]]] : []));
  return {
    ...(Object.fromEntries(lists) as Partial<CalendarQuery>),
    ...(quick ? { quick } : {}),
    ...(from ? { start_date_from: from } : {}),
    ...(to ? { start_date_to: to } : {}),
    ...(recurring ? { is_recurring: true } : {}),
    ...(words ? { q: words } : {}),
  };
}
