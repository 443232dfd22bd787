import { isDay } from '../texts/dates.ts';

export const VIEWS = ['month', 'week', 'day', 'agenda'] as const;
export type View = (typeof VIEWS)[number];
export const QUICK = ['today', 'this_week', 'upcoming', 'my_events', 'featured'] as const;
export type Quick = (typeof QUICK)[number];

/** What the address of the calendar holds: the view, the day it is about, and what is left out. */
export type CalendarSearch = {
  view?: View;
  date?: string;
  quick?: Quick[];
  type?: string[];
  status?: string[];
  visibility?: string[];
  tags?: string[];
};

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
  for (const name of ['type', 'status', 'visibility', 'tags'] as const) {
    const values = listed(given[name]);
    if (values.length > 0) search[name] = values;
  }
  return search;
}
