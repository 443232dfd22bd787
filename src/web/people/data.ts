import { keepPreviousData } from '@tanstack/react-query';
import { api, unwrap } from '../api/client.ts';
import { getQuery, invalidate, listQuery, rowsQuery } from '../api/queries.ts';
import type { QueryOf, ResponseOf } from '../api/types.ts';
import { saveFile } from '../parts/save-file.ts';

/** The page's URL: the filters of the list, named like the API's query parameters. */
export type PeopleSearch = { [name in 'q' | 'class_id' | 'role' | 'left']?: string };

/** The roles of people, in the order of a choice. */
export const ROLES = ['student', 'parent', 'staff', 'admin', 'external'] as const;

const PATH = '/api/v1/operations/contacts';
const ONE = `${PATH}/{user_id}` as const;
/** The most that the API returns at once; a person has fewer relatives. */
const RELATIVES = 50;

type Query = QueryOf<typeof PATH>;
export type PersonChannel = ResponseOf<`${typeof PATH}/{user_id}/channels`>['data'][number];

/** The people who match, by name. */
export const contactsQuery = (search: PeopleSearch) => ({
  ...listQuery(['contacts', 'list', search], PATH, {
    query: { ...search, left: search.left === 'true', limit: 50 } as Query,
  }),
  placeholderData: keepPreviousData,
});

const pathOf = (user_id: string) => ({ path: { user_id } });

/** One person of the directory. */
export const contactQuery = (user_id: string) => getQuery(['contacts', 'one', user_id], ONE, pathOf(user_id));

const relativesQuery = (query: Query) =>
  rowsQuery(['contacts', 'relatives', query], PATH, { query: { ...query, limit: RELATIVES } });

export const childrenQuery = (guardian_id: string) => relativesQuery({ guardian_id });
export const guardiansQuery = (user_id: string[]) => ({
  ...relativesQuery({ user_id: user_id.slice(0, RELATIVES) }),
  enabled: user_id.length > 0,
});

/** Who of the staff viewed the school as a person. */
export const viewsQuery = (user_id: string) =>
  rowsQuery(['contacts', 'views', user_id], `${ONE}/views`, pathOf(user_id));

/** How each channel reaches a person. */
export const channelsQuery = (user_id: string) =>
  rowsQuery(['contacts', 'channels', user_id], `${ONE}/channels`, pathOf(user_id));

/** Lets messages go to a suppressed address again. */
export async function liftSuppression(suppression_id: string): Promise<void> {
  await unwrap(
    api.DELETE('/api/v1/operations/suppressions/{suppression_id}', { params: { path: { suppression_id } } }),
  );
  await invalidate(['contacts', 'channels']);
}

/** Downloads everything that the school has about a person. */
export async function downloadPerson(user_id: string, name: string): Promise<void> {
  const found = await unwrap(api.GET(`${ONE}/export`, { params: pathOf(user_id) }));
  saveFile(new Blob([JSON.stringify(found, null, 2)], { type: 'application/json' }), `${name}.json`);
}

/** Erases a person. */
export async function erasePerson(user_id: string): Promise<void> {
  await unwrap(api.DELETE(ONE, { params: pathOf(user_id) }));
  await invalidate(['contacts', 'list']);
}
