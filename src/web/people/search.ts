import { texts } from '../app/search.ts';

/** Filters of the list, named like the API's query parameters. */
export const FILTERS = ['q', 'class_id', 'role', 'left'] as const;
export const readPeopleSearch = texts(...FILTERS);
/** The page's URL. */
export type PeopleSearch = ReturnType<typeof readPeopleSearch>;
