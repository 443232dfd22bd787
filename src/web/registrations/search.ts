import type { Rostered } from '../api/types.ts';
import { texts } from '../app/search.ts';

/** The page's URL, named like the API's query parameters: the registrations shown. */
export type RosterSearch = Partial<Pick<Rostered, 'status' | 'kind'>> & { q?: string | undefined };

export const readRosterSearch = texts('status', 'kind', 'q') as (given: Record<string, unknown>) => RosterSearch;
