import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../api/client.ts';
import { wordsOf } from '../api/problem.ts';
import { queryClient } from '../api/queries.ts';
import type { InboxEntry, paths } from '../api/types.ts';
import { notify } from '../parts/notices.tsx';
import type { Shelf } from './search.ts';

type InboxPage = paths['/api/v1/me/inbox']['get']['responses'][200]['content']['application/json'];

const PAGE = 30;

/** My messages, newest first, as far as they were asked for. */
export const inboxQuery = (shelf: Shelf) =>
  infiniteQueryOptions({
    queryKey: ['inbox', shelf],
    queryFn: ({ pageParam, signal }) => {
      const of = { all: {}, unread: { unread: true }, archive: { archived: true } }[shelf];
      const query = { limit: PAGE, ...of, ...(pageParam ? { cursor: pageParam } : {}) };
      return bodyOf(api.GET('/api/v1/me/inbox', { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

type Change = (entry: InboxEntry) => InboxEntry | null;

/** Shows at once what is going to be: an entry changed, or out of the list. */
function foresee(change: Change): void {
  queryClient.setQueriesData<InfiniteData<InboxPage, string | null>>({ queryKey: ['inbox'] }, (known) =>
    known
      ? {
          ...known,
          pages: known.pages.map((page) => ({
            ...page,
            data: page.data.map(change).filter((entry) => entry !== null),
          })),
        }
      : undefined,
  );
}

const now = (): string => new Date().toISOString();

/** Does it here at once and on the server; where that fails, says so and shows what is so. */
async function change(foreseen: Change, asked: () => Promise<unknown>): Promise<boolean> {
  await queryClient.cancelQueries({ queryKey: ['inbox'] });
  foresee(foreseen);
  try {
    await asked();
    return true;
  } catch (error) {
    notify(wordsOf(error), { bad: true });
    return false;
  } finally {
    void queryClient.invalidateQueries({ queryKey: ['inbox'] });
    void queryClient.invalidateQueries({ queryKey: ['unread'] });
  }
}

const path = (id: string) => ({ params: { path: { id } } });

export const markRead = (id: string) =>
  change(
    (entry) => (entry.id === id ? { ...entry, read_at: entry.read_at ?? now() } : entry),
    () => bodyOf(api.POST('/api/v1/me/inbox/{id}/read', path(id))),
  );

export const archive = (id: string) =>
  change(
    (entry) => (entry.id === id ? null : entry),
    () => bodyOf(api.POST('/api/v1/me/inbox/{id}/archive', path(id))),
  );

export const unarchive = (id: string) =>
  change(
    (entry) => (entry.id === id ? null : entry),
    () => bodyOf(api.POST('/api/v1/me/inbox/{id}/unarchive', path(id))),
  );

export const readAll = () =>
  change(
    (entry) => ({ ...entry, read_at: entry.read_at ?? now() }),
    () => bodyOf(api.POST('/api/v1/me/inbox/read_all')),
  );

/** Somebody has looked into the inbox; should it fail, the next look tells it. */
export const seeInbox = (): Promise<unknown> => bodyOf(api.POST('/api/v1/me/inbox/seen')).catch(() => {});
