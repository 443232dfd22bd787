import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../api/client.ts';
import { errorText } from '../api/problem.ts';
import { queryClient } from '../api/queries.ts';
import type { InboxEntry, paths } from '../api/types.ts';
import { showNotice } from '../parts/notices.tsx';
import type { Folder } from './search.ts';

type InboxPage = paths['/api/v1/me/inbox']['get']['responses'][200]['content']['application/json'];

const PAGE = 30;

/** The user's messages, newest first. */
export const inboxQuery = (folder: Folder) =>
  infiniteQueryOptions({
    queryKey: ['inbox', folder],
    queryFn: ({ pageParam, signal }) => {
      const of = { all: {}, unread: { unread: true }, archive: { archived: true } }[folder];
      const query = { limit: PAGE, ...of, ...(pageParam ? { cursor: pageParam } : {}) };
      return unwrap(api.GET('/api/v1/me/inbox', { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

type Change = (entry: InboxEntry) => InboxEntry | null;

/** Optimistic update: changes an entry in the cached lists, or removes it (null). */
function updateCache(change: Change): void {
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

/** Applies a change optimistically and on the server; on failure shows the error and refetches. */
async function apply(change: Change, request: () => Promise<unknown>): Promise<boolean> {
  await queryClient.cancelQueries({ queryKey: ['inbox'] });
  updateCache(change);
  try {
    await request();
    return true;
  } catch (error) {
    showNotice(errorText(error), { bad: true });
    return false;
  } finally {
    void queryClient.invalidateQueries({ queryKey: ['inbox'] });
    void queryClient.invalidateQueries({ queryKey: ['unread'] });
  }
}

const path = (id: string) => ({ params: { path: { id } } });

export const markRead = (id: string) =>
  apply(
    (entry) => (entry.id === id ? { ...entry, read_at: entry.read_at ?? now() } : entry),
    () => unwrap(api.POST('/api/v1/me/inbox/{id}/read', path(id))),
  );

export const archive = (id: string) =>
  apply(
    (entry) => (entry.id === id ? null : entry),
    () => unwrap(api.POST('/api/v1/me/inbox/{id}/archive', path(id))),
  );

export const unarchive = (id: string) =>
  apply(
    (entry) => (entry.id === id ? null : entry),
    () => unwrap(api.POST('/api/v1/me/inbox/{id}/unarchive', path(id))),
  );

export const readAll = () =>
  apply(
    (entry) => ({ ...entry, read_at: entry.read_at ?? now() }),
    () => unwrap(api.POST('/api/v1/me/inbox/read_all')),
  );

/** Marks all messages as seen. Ignores errors: the next visit to the inbox repeats it. */
export const markSeen = (): Promise<unknown> => unwrap(api.POST('/api/v1/me/inbox/seen')).catch(() => {});
