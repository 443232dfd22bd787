import { keepPreviousData } from '@tanstack/react-query';
import { api, unwrap } from '../api/client.ts';
import { getQuery, invalidateEvent, listQuery, queryClient } from '../api/queries.ts';
import type { Rostered } from '../api/types.ts';
import { saveFile } from '../parts/save-file.ts';
import type { RosterSearch } from './search.ts';

const PATH = '/api/v1/operations/events/{id}/registrations';
const PAGE = 100;
/** Interval of polling the counts, since people register meanwhile. */
const POLL_MS = 15_000;

const filterOf = ({ status, kind, q }: RosterSearch) => ({
  q,
  status: status && [status],
  kind: kind && [kind],
});

/** The registrations, by page. */
export const rosterQuery = (id: string, search: RosterSearch) => ({
  ...listQuery(['roster', id, search], PATH, {
    path: { id },
    query: { ...filterOf(search), limit: PAGE },
  }),
  placeholderData: keepPreviousData,
});

/** Number of registrations by status and kind. */
export const countsQuery = (id: string) =>
  getQuery(['roster-counts', id], `${PATH}/counts`, { path: { id } }, { refetchInterval: POLL_MS });

/** The waitlist, and a preview of another capacity. */
export const waitlistQuery = (id: string, capacity: number | undefined) =>
  getQuery(
    ['waitlist', id, capacity],
    '/api/v1/operations/events/{id}/waitlist',
    { path: { id }, query: { capacity } },
    { placeholderData: keepPreviousData },
  );

/** Loads every matching registration, also those not scrolled to yet. */
export async function loadAllMatching(id: string, search: RosterSearch): Promise<Rostered[]> {
  const all: Rostered[] = [];
  let cursor: string | undefined;
  do {
    const query = { ...filterOf(search), limit: PAGE, cursor };
    const { data, next_cursor } = await unwrap(api.GET(PATH, { params: { path: { id }, query } }));
    all.push(...data);
    cursor = next_cursor ?? undefined;
  } while (cursor);
  return all;
}

/** Refetches the registrations of an event after a change. */
export async function invalidateRoster(id: string): Promise<void> {
  const invalidate = (name: string) => queryClient.invalidateQueries({ queryKey: [name, id] });
  await Promise.all([invalidate('roster'), invalidate('roster-counts'), invalidate('waitlist'), invalidateEvent(id)]);
}

/** Downloads the matching registrations as a workbook or as CSV. @param name without the extension */
export async function download(id: string, search: RosterSearch, name: string, as: 'xlsx' | 'csv'): Promise<void> {
  const params = { path: { id }, query: filterOf(search) };
  const path = as === 'xlsx' ? (`${PATH}/export.xlsx` as const) : (`${PATH}/export` as const);
  saveFile((await unwrap(api.GET(path, { params, parseAs: 'blob' }))) as unknown as Blob, `${name}.${as}`);
}
