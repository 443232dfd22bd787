import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../api/client.ts';
import type { KnownPerson } from '../api/types.ts';

const PEOPLE = '/api/v1/operations/people';
/** As many as an address takes at once. */
const AT_ONCE = 100;

/** Those whose names begin like this; while more is typed, those from before stay. */
export const peopleQuery = (q: string) =>
  queryOptions({
    queryKey: ['people', q],
    queryFn: ({ signal }) => bodyOf(api.GET(PEOPLE, { params: { query: { q, limit: 20 } }, signal })),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });

/** The people behind ids, as far as they are known. */
export const namesQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['names', [...ids].sort()],
    queryFn: async ({ signal }) => {
      const known = new Map<string, KnownPerson>();
      for (let at = 0; at < ids.length; at += AT_ONCE) {
        const query = { user_id: ids.slice(at, at + AT_ONCE), limit: AT_ONCE };
        const { data } = await bodyOf(api.GET(PEOPLE, { params: { query }, signal }));
        for (const person of data) known.set(person.user_id, person);
      }
      return known;
    },
    enabled: ids.length > 0,
    staleTime: 5 * 60_000,
    placeholderData: keepPreviousData,
  });
