import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../api/client.ts';
import { eventChanged, queryClient } from '../api/queries.ts';
import type { Rostered } from '../api/types.ts';
import { type RosterSearch, rosterQueryOf } from './search.ts';

const PATH = '/api/v1/operations/events/{id}/registrations';
const AT_ONCE = 100;
/** How often the numbers are asked for while the page is open: people register meanwhile. */
const FRESH_MS = 15_000;

async function page(id: string, search: RosterSearch, cursor: string | undefined, signal?: AbortSignal) {
  const query = { ...rosterQueryOf(search), limit: AT_ONCE, ...(cursor ? { cursor } : {}) };
  return bodyOf(api.GET(PATH, { params: { path: { id }, query }, ...(signal ? { signal } : {}) }));
}

/** The registrations, page after page. */
export const rosterQuery = (id: string, search: RosterSearch) =>
  infiniteQueryOptions({
    queryKey: ['roster', id, search],
    queryFn: ({ pageParam, signal }) => page(id, search, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });

/** How many there are of each status and kind. */
export const countsQuery = (id: string) =>
  queryOptions({
    queryKey: ['roster-counts', id],
    queryFn: ({ signal }) => bodyOf(api.GET(`${PATH}/counts`, { params: { path: { id } }, signal })),
    refetchInterval: FRESH_MS,
  });

/** Who waits, and what a number of places would do. */
export const waitlistQuery = (id: string, capacity: number | undefined) =>
  queryOptions({
    queryKey: ['waitlist', id, capacity],
    queryFn: ({ signal }) => {
      const query = capacity === undefined ? {} : { capacity };
      return bodyOf(api.GET('/api/v1/operations/events/{id}/waitlist', { params: { path: { id }, query }, signal }));
    },
    placeholderData: keepPreviousData,
  });

/** Every registration that matches, also those that were not scrolled to yet. */
export async function allMatching(id: string, search: RosterSearch): Promise<Rostered[]> {
  const all: Rostered[] = [];
  for (let cursor: string | undefined; ; ) {
    const { data, next_cursor } = await page(id, search, cursor);
    all.push(...data);
    if (!next_cursor) return all;
    cursor = next_cursor;
  }
}

/** After something was done with one or many. */
export async function rosterChanged(id: string): Promise<void> {
  const of = (name: string) => queryClient.invalidateQueries({ queryKey: [name, id] });
  await Promise.all([of('roster'), of('roster-counts'), of('waitlist'), eventChanged(id)]);
}

/** Saves the list as a file, with the filters that are set. */
export async function download(id: string, { standing, kind }: RosterSearch, name: string): Promise<void> {
  const query = { ...(standing ? { status: standing } : {}), ...(kind ? { kind } : {}) };
  const file = await bodyOf(api.GET(`${PATH}/export`, { params: { path: { id }, query }, parseAs: 'blob' }));
  const url = URL.createObjectURL(file as unknown as Blob);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
