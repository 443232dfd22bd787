import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../api/client.ts';
import { invalidateEvent, listQuery, queryClient } from '../api/queries.ts';
import type { Rostered } from '../api/types.ts';
import { saveFile } from '../parts/save-file.ts';
import type { RosterSearch } from './search.ts';

const PATH = '/api/v1/operations/events/{id}/registrations';
const PAGE = 100;
/** Interval of polling the counts, since people register meanwhile. */
const POLL_MS = 15_000;

const filterOf = ({ status, kind }: RosterSearch) => ({
  ...(status ? { status: [status] } : {}),
  ...(kind ? { kind: [kind] } : {}),
});

const loadPage = (id: string, search: RosterSearch, cursor: string | undefined, signal?: AbortSignal) => {
  const query = { ...filterOf(search), q: search.q, limit: PAGE, cursor };
  return unwrap(api.GET(PATH, { params: { path: { id }, query }, signal }));
};

/** The registrations, by page. */
export const rosterQuery = (id: string, search: RosterSearch) => ({
  ...listQuery(['roster', id, search], (cursor, signal) => loadPage(id, search, cursor, signal)),
  placeholderData: keepPreviousData,
});

/** Number of registrations by status and kind. */
export const countsQuery = (id: string) =>
  queryOptions({
    queryKey: ['roster-counts', id],
    queryFn: ({ signal }) => unwrap(api.GET(`${PATH}/counts`, { params: { path: { id } }, signal })),
    refetchInterval: POLL_MS,
  });

/** The waitlist, and a preview of another capacity. */
export const waitlistQuery = (id: string, capacity: number | undefined) =>
  queryOptions({
    queryKey: ['waitlist', id, capacity],
    queryFn: ({ signal }) => {
      const params = { path: { id }, query: { capacity } };
      return unwrap(api.GET('/api/v1/operations/events/{id}/waitlist', { params, signal }));
    },
    placeholderData: keepPreviousData,
  });

/** Loads every matching registration, also those not scrolled to yet. */
export async function loadAllMatching(id: string, search: RosterSearch): Promise<Rostered[]> {
  const all: Rostered[] = [];
  let cursor: string | undefined;
  do {
    const { data, next_cursor } = await loadPage(id, search, cursor);
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
  const params = { path: { id }, query: { ...filterOf(search), q: search.q } };
  const path = as === 'xlsx' ? (`${PATH}/export.xlsx` as const) : (`${PATH}/export` as const);
  saveFile((await unwrap(api.GET(path, { params, parseAs: 'blob' }))) as unknown as Blob, `${name}.${as}`);
}
