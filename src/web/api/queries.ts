import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';
import { Refusal } from './problem.ts';
import type { CalendarQuery } from './types.ts';

const mayHelpAgain = (error: unknown): boolean =>
  error instanceof Refusal && (error.status === 0 || error.status === 429 || error.status === 503);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 30_000, retry: (count, error) => count < 2 && mayHelpAgain(error) },
    mutations: { retry: (count, error) => count < 2 && mayHelpAgain(error) },
  },
});

/** Who is signed in. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/me', { signal })),
  staleTime: 5 * 60_000,
});

/** How many messages are unread, and how many came since the inbox was last looked at; the stream keeps it right. */
export const unreadQuery = queryOptions({
  queryKey: ['unread'],
  queryFn: async ({ signal }) => {
    const asked = api.GET('/api/v1/me/inbox', { params: { query: { limit: 1 } }, signal });
    const { unread_count, unseen_count } = await bodyOf(asked);
    return { unread_count, unseen_count };
  },
});

/** Everything a form or a filter offers. */
export const optionsQuery = queryOptions({
  queryKey: ['options'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/operations/events/options', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Classes, grades, departments, tags and categories there are. */
export const groupsQuery = queryOptions({
  queryKey: ['groups'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/operations/events/groups', { signal })),
  staleTime: 60_000,
});

/** What is on around a date; while the next one is on its way, the one before stays. */
export const calendarQuery = (query: CalendarQuery) =>
  queryOptions({
    queryKey: ['calendar', query],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/operations/events/calendar', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });

/** One event. */
export const eventQuery = (id: string) =>
  queryOptions({
    queryKey: ['event', id],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/operations/events/{id}', { params: { path: { id } }, signal })),
  });

/** After something was changed: the event itself and every list it may stand in. */
export async function eventChanged(id?: string): Promise<void> {
  const of = (...queryKey: string[]) => queryClient.invalidateQueries({ queryKey });
  await Promise.all([of('calendar'), of('events'), of('statistics'), ...(id ? [of('event', id)] : [of('event')])]);
}
