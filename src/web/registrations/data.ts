import { keepPreviousData } from '@tanstack/react-query';
import { api, unwrap } from '../api/client.ts';
import { getQuery, invalidate, invalidateEvent, listQuery } from '../api/queries.ts';
import type { ListedRegistration } from '../api/types.ts';
import { saveFile } from '../parts/save-file.ts';

/** The page's URL, named like the API's query parameters: the registrations shown. */
export type RegistrationSearch = Partial<Pick<ListedRegistration, 'status' | 'kind'>> & { q?: string };

const PATH = '/api/v1/operations/events/{id}/registrations';
const PAGE = 100;
/** Interval of polling the counts, since people register meanwhile. */
const POLL_MS = 15_000;

const filterOf = ({ status, kind, q }: RegistrationSearch) => ({
  q,
  status: status && [status],
  kind: kind && [kind],
});

/** The registrations, by page. */
export const registrationsQuery = (id: string, search: RegistrationSearch) => ({
  ...listQuery(['registrations', id, search], PATH, { path: { id }, query: { ...filterOf(search), limit: PAGE } }),
  placeholderData: keepPreviousData,
});

/** Number of registrations by status and kind. */
export const countsQuery = (id: string) =>
  getQuery(['registration-counts', id], `${PATH}/counts`, { path: { id } }, { refetchInterval: POLL_MS });

/** The waitlist, and a preview of another capacity. */
export const waitlistQuery = (id: string, capacity: number | undefined) =>
  getQuery(
    ['waitlist', id, capacity],
    '/api/v1/operations/events/{id}/waitlist',
    { path: { id }, query: { capacity } },
    { placeholderData: keepPreviousData },
  );

/** Refetches the registrations of an event after a change. */
export const invalidateRegistrations = (id: string): Promise<unknown> =>
  Promise.all([invalidate(['registrations', id], ['registration-counts', id], ['waitlist', id]), invalidateEvent(id)]);

/** Downloads the matching registrations as a workbook or as CSV. @param name without the extension */
export async function download(
  id: string,
  search: RegistrationSearch,
  name: string,
  as: 'xlsx' | 'csv',
): Promise<void> {
  const params = { path: { id }, query: filterOf(search) };
  const path = as === 'xlsx' ? (`${PATH}/export.xlsx` as const) : (`${PATH}/export` as const);
  saveFile(await unwrap(api.GET(path, { params, parseAs: 'blob' })), `${name}.${as}`);
}
