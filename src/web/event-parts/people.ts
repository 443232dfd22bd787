import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../api/client.ts';
import { getQuery } from '../api/queries.ts';
import type { KnownPerson } from '../api/types.ts';
import { groupName, word } from '../texts/texts.ts';

const PATH = '/api/v1/operations/people';
/** maximum of ids per request */
const PAGE = 100;

/** People whose names begin with `q`; keeps the previous matches while the next load. */
export const peopleQuery = (q: string) =>
  getQuery(['people', q], PATH, { query: { q, limit: 20 } }, { enabled: q !== '', placeholderData: keepPreviousData });

/** The known people among these ids, by id. */
export const namesQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['names', [...ids].sort()],
    queryFn: async ({ signal }) => {
      const found = new Map<string, KnownPerson>();
      for (let at = 0; at < ids.length; at += PAGE) {
        const query = { user_id: ids.slice(at, at + PAGE), limit: PAGE };
        const { data } = await unwrap(api.GET(PATH, { params: { query }, signal }));
        for (const person of data) found.set(person.user_id, person);
      }
      return found;
    },
    enabled: ids.length > 0,
    staleTime: 5 * 60_000,
    placeholderData: keepPreviousData,
  });

type Groups = Pick<KnownPerson, 'roles' | 'class_ids' | 'department_ids'>;

/** Roles and groups of one person, for example `student · 5A`, to distinguish people of the same name. */
export const groupsText = ({ roles, class_ids, department_ids }: Groups): string =>
  [...roles.map((role) => word('roleOne', role)), ...[...class_ids, ...department_ids].map(groupName)].join(' · ');
