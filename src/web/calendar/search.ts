import type { CalendarQuery } from '../api/types.ts';
import { isDay } from '../texts/dates.ts';

export const VIEWS = ['month', 'week', 'day', 'agenda'] as const;
export type View = (typeof VIEWS)[number];
export const QUICK = ['today', 'this_week', 'upcoming', 'my_events', 'featured'] as const;
export type Quick = (typeof QUICK)[number];

/** What the address of the calendar holds: the view, the day it is about, and what is left out. */
export type CalendarSearch = {
  view?: View | undefined;
  date?: string | undefined;
  quick?: Quick[] | undefined;
  type?: string[] | undefined;
  status?: string[] | undefined;
  visibility?: string[] | undefined;
  tags?: string[] | undefined;
  q?: string | undefined;
  /** what is not on the calendar yet, for those who prepare it */
  drafts?: true | undefined;
};

const LISTS = ['type', 'status', 'visibility', 'tags'] as const;

const listed = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string' && one !== '');

/** Reads it; what makes no sense is as if it weren't there. */
export function readCalendarSearch(given: Record<string, unknown>): CalendarSearch {
  const search: CalendarSearch = {};
  const view = VIEWS.find((one) => one === given.view);
  if (view) search.view = view;
  if (isDay(given.date)) search.date = given.date;
  const quick = QUICK.filter((one) => listed(given.quick).includes(one));
  if (quick.length > 0) search.quick = quick;
  for (const name of LISTS) {
    const values = listed(given[name]);
    if (values.length > 0) search[name] = values;
  }
  if (typeof given.q === 'string' && given.q !== '') search.q = given.q;
  if (String(given.drafts) === 'true') search.drafts = true;
  return search;
}

export const countFilters = ({ quick, type, status, visibility, tags, q, drafts }: CalendarSearch): number =>
  [quick, type, status, visibility, tags].reduce((sum, list) => sum + (list?.length ?? 0), 0) +
  Number(Boolean(q)) +
  Number(Boolean(drafts));

/** The filters as the API takes them. */
export function filtersOf({ quick, type, status, visibility, tags, q }: CalendarSearch): CalendarQuery {
  const words = q?.trim();
  return {
    ...(quick ? { quick } : {}),
    ...(type ? { event_type: type as NonNullable<CalendarQuery['event_type']> } : {}),
    ...(status ? { status: status as NonNullable<CalendarQuery['status']> } : {}),
    ...(visibility ? { visibility: visibility as NonNullable<CalendarQuery['visibility']> } : {}),
    ...(tags ? { tags } : {}),
    ...(words ? { q: words } : {}),
  };
}
