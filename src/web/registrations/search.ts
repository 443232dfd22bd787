import type { RosterQuery } from '../api/types.ts';

/** The page's URL, named like the API's query parameters: the registrations shown. */
export type RosterSearch = {
  status?: NonNullable<RosterQuery['status']>;
  kind?: NonNullable<RosterQuery['kind']>;
  q?: string;
};

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Reads the URL; the API validates the values. */
export function readRosterSearch({ status, kind, q }: Record<string, unknown>): RosterSearch {
  const found = { status: text(status), kind: text(kind), q: text(q) };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as RosterSearch;
}
