import { text } from '../app/search.ts';

/** Filters of the list, named like the API's query parameters. */
export const FILTERS = ['q', 'class_id', 'role', 'left'] as const;
/** The page's URL. */
export type PeopleSearch = { [name in (typeof FILTERS)[number]]?: string | undefined };

/** Reads the URL; the API validates the values. */
export const readPeopleSearch = (given: Record<string, unknown>): PeopleSearch =>
  Object.fromEntries(FILTERS.map((name) => [name, text(given[name])]));
