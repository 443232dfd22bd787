import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  MutationCache,
  notifyManager,
  QueryClient,
  type QueryKey,
  queryOptions,
  type UseQueryOptions,
  useQuery,
} from '@tanstack/react-query';
import { showFailure } from '../parts/notices.tsx';
import { rememberSchool } from '../session/stored.ts';
import { addDays, ownZone, weekdayOf } from '../texts/dates.ts';
import { inLanguage } from '../texts/in-language.ts';
import { language } from '../texts/texts.ts';
import { api, unwrap } from './client.ts';
import { ApiError, isSignedOut } from './problem.ts';
import type { CalendarQuery, Me, ParamsOf, Permission, paths, ResponseOf, SchoolEvent } from './types.ts';

/** Whether no response came, the server is too busy, or it still works on the first try. */
const isRetryable = (error: unknown): boolean =>
  error instanceof ApiError && ([0, 429, 503].includes(error.status) || error.code === 'idempotency_in_flight');

const retry = (count: number, error: unknown): boolean => count < 2 && isRetryable(error);

/** A failed mutation shows a notice, unless its form shows the error (`meta.showsError`). */
const mutationCache = new MutationCache({
  onError: (error, _variables, _result, { meta }) => {
    if (!meta?.showsError) showFailure(error);
  },
});

// Immediately, not in a later task: a checkbox would jump back for a moment before it shows the new choice.
notifyManager.setScheduler(queueMicrotask);

export const queryClient = new QueryClient({
  mutationCache,
  defaultOptions: {
    queries: { staleTime: 30_000, retry },
    // Also without a connection: the button shows the failure, rather than waiting for ever. A request that is sent again
    // has the same idempotency key. After a 401 the session is renewed meanwhile, if that works without asking.
    mutations: {
      networkMode: 'always',
      retry: (count, error) => retry(count, error) || (count < 1 && isSignedOut(error)),
    },
  },
});

// A dry run is never shown again, and one that is refused will be refused again. The one before stays while another loads.
queryClient.setQueryDefaults(['dry-run'], { gcTime: 0, retry: false, placeholderData: keepPreviousData });

const load = <P extends keyof paths>(path: P, params: object, signal?: AbortSignal) =>
  unwrap(api.GET(path as never, { params, signal } as never)) as Promise<ResponseOf<P>>;

/** A query of an address of the API. */
export const getQuery = <P extends keyof paths, Data = ResponseOf<P>>(
  queryKey: QueryKey,
  path: P,
  params: ParamsOf<P>,
  more?: Omit<UseQueryOptions<ResponseOf<P>, Error, Data>, 'queryKey' | 'queryFn'>,
) => queryOptions({ queryKey, queryFn: ({ signal }) => load(path, params, signal), ...more });

/** The signed-in user. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => {
    const me = await unwrap(api.GET('/api/v1/me', { signal }));
    rememberSchool(me.school);
    return me;
  },
  staleTime: 5 * 60_000,
});

/** The signed-in user, once known. */
export const useMe = (): Me | undefined => useQuery(meQuery).data;

/** The zone of the school; until it is known, that of this device. */
export const useSchoolZone = (): string => useMe()?.school.timezone ?? ownZone();

/** Whether the signed-in user has a permission; false until it is known. */
export const useMay = (permission: Permission): boolean => useMe()?.may.includes(permission) ?? false;

/** Counts of unread messages and of those since the inbox was last opened; the event stream updates them. */
export const unreadQuery = queryOptions({
  queryKey: ['unread'],
  queryFn: async ({ signal }) => {
    const { unread_count, unseen_count } = await load('/api/v1/me/inbox', { query: { limit: 1 } }, signal);
    return { unread_count, unseen_count };
  },
});

/** The choices of forms and filters. */
export const optionsQuery = getQuery(
  ['options'],
  '/api/v1/operations/events/options',
  {},
  { staleTime: Number.POSITIVE_INFINITY },
);

/** The choices of forms and filters, once known. */
export const useEventOptions = () => useQuery(optionsQuery).data;

/** The type of an event, with its icon and color, once the types are known. */
export const useEventType = ({ event_type }: Pick<SchoolEvent, 'event_type'>) =>
  useEventOptions()?.event_types.find(({ value }) => value === event_type);

/** The classes, grades, departments, tags and categories of the school. */
export const groupsQuery = getQuery(['groups'], '/api/v1/operations/events/groups', {}, { staleTime: 60_000 });

type RowOf<P extends keyof paths> = ResponseOf<P> extends { data: (infer Row)[] } ? Row : never;

/** A list that the API returns whole. */
export const rowsQuery = <P extends keyof paths>(
  queryKey: QueryKey,
  path: P,
  params: ParamsOf<P>,
  more?: Omit<UseQueryOptions<ResponseOf<P>, Error, RowOf<P>[]>, 'queryKey' | 'queryFn' | 'select'>,
) => getQuery(queryKey, path, params, { ...more, select: (response) => (response as { data: RowOf<P>[] }).data });

type Paged = { data: unknown[]; next_cursor: string | null };

const loadPage = (path: keyof paths, params: { query?: object }, cursor: string | undefined, signal?: AbortSignal) =>
  load(path, { ...params, query: { ...params.query, cursor } }, signal) as Promise<never> as Promise<Paged>;

const rowsOf = ({ pages }: InfiniteData<Paged>) => pages.flatMap(({ data }) => data);

/** A list that the API returns in pages; the data are the rows of all loaded pages. */
export const listQuery = <P extends keyof paths>(queryKey: QueryKey, path: P, params: ParamsOf<P>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam: cursor, signal }) => loadPage(path, params, cursor, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    select: rowsOf as (data: InfiniteData<Paged>) => RowOf<P>[],
  });

/** Loads the rows of all pages of a list. */
export async function loadAll<P extends keyof paths>(path: P, params: ParamsOf<P>, signal?: AbortSignal) {
  const all: RowOf<P>[] = [];
  let cursor: string | undefined;
  do {
    const { data, next_cursor } = await loadPage(path, params, cursor, signal);
    all.push(...(data as RowOf<P>[]));
    cursor = next_cursor ?? undefined;
  } while (cursor);
  return all;
}

/** The first of the dates for which the calendar shows the same days; of a day or an agenda, the date itself. */
export const firstDate = ({ view, date = '' }: CalendarQuery): string =>
  view === 'month' ? date.slice(0, 7) : view === 'week' ? addDays(date, -weekdayOf(date)) : date;

/** The calendar around a date, loaded once for all dates that show the same days; keeps the previous data meanwhile. */
export const calendarQuery = (query: CalendarQuery) =>
  getQuery(
    // The server shows titles in this language.
    ['calendar', { ...query, date: firstDate(query) }, language()],
    '/api/v1/operations/events/calendar',
    { query },
    { placeholderData: keepPreviousData },
  );

/** One event, with its texts in the current language. */
export const eventQuery = (id: string) =>
  getQuery(['event', id], '/api/v1/operations/events/{id}', { path: { id } }, { select: (event) => inLanguage(event) });

/** Refetches the queries whose keys begin with one of these. */
export const invalidate = (...keys: QueryKey[]): Promise<unknown> =>
  Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));

/** Refetches a changed event and every list that may contain it. */
export const invalidateEvent = (id?: string): Promise<unknown> =>
  invalidate(['calendar'], ['events'], ['statistics'], id ? ['event', id] : ['event']);
