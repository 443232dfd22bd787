import type { RosterQuery } from '../api/types.ts';

/** What the address holds: which registrations are shown. */
export type RosterSearch = {
  standing?: NonNullable<RosterQuery['status']>;
  kind?: NonNullable<RosterQuery['kind']>;
  q?: string;
};

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Reads it; a value the API doesn't know is refused there, in words. */
export function readRosterSearch({ standing, kind, q }: Record<string, unknown>): RosterSearch {
  const found = { standing: text(standing), kind: text(kind), q: text(q) };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as RosterSearch;
}

/** The same as the API takes it. */
export const rosterQueryOf = ({ standing, kind, q }: RosterSearch): RosterQuery => ({
  ...(standing ? { status: standing } : {}),
  ...(kind ? { kind } : {}),
  ...(q ? { q } : {}),
});
