import type { Rostered } from '../api/types.ts';
import { text } from '../app/search.ts';

/** The page's URL, named like the API's query parameters: the registrations shown. */
export type RosterSearch = Partial<Pick<Rostered, 'status' | 'kind'>> & { q?: string | undefined };

/** Reads the URL; the API validates the values. */
export const readRosterSearch = ({ status, kind, q }: Record<string, unknown>) =>
  ({ status: text(status), kind: text(kind), q: text(q) }) as RosterSearch;
