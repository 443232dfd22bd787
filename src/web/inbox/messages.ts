import type { InfiniteData } from '@tanstack/react-query';
import { api, unwrap } from '../api/client.ts';
import { invalidate, listQuery, queryClient } from '../api/queries.ts';
import type { Answer, InboxEntry } from '../api/types.ts';
import { showFailure } from '../parts/notices.tsx';
import type { Folder } from './search.ts';

const PAGE = 30;

/** The user's messages, newest first. */
export const inboxQuery = (folder: Folder) =>
  listQuery(['inbox', folder], '/api/v1/me/inbox', {
    query: { limit: PAGE, unread: folder === 'unread' || undefined, archived: folder === 'archive' || undefined },
  });

type Change = (entry: InboxEntry) => InboxEntry | null;

/** Optimistic update: changes an entry in the cached lists, or removes it (null). */
function updateCache(change: Change): void {
  queryClient.setQueriesData<InfiniteData<Answer<'/api/v1/me/inbox'>>>({ queryKey: ['inbox'] }, (known) =>
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

/** Applies a change optimistically and on the server; on failure shows the error and refetches. */
async function apply(change: Change, request: () => Promise<unknown>): Promise<boolean> {
  await queryClient.cancelQueries({ queryKey: ['inbox'] });
  updateCache(change);
  try {
    await request();
    return true;
  } catch (error) {
    showFailure(error);
    return false;
  } finally {
    void invalidate(['inbox'], ['unread']);
  }
}

/** Marks one message, for example as archived, which removes it from its folder. */
const mark = (how: 'read' | 'archive' | 'unarchive', change: Change) => (id: string) =>
  apply(
    (entry) => (entry.id === id ? change(entry) : entry),
    () => unwrap(api.POST(`/api/v1/me/inbox/{id}/${how}`, { params: { path: { id } } })),
  );

const asRead: Change = (entry) => ({ ...entry, read_at: entry.read_at ?? new Date().toISOString() });

export const markRead = mark('read', asRead);
export const archive = mark('archive', () => null);
export const unarchive = mark('unarchive', () => null);
export const readAll = () => apply(asRead, () => unwrap(api.POST('/api/v1/me/inbox/read_all')));

/** Marks all messages as seen. Ignores errors: the next visit to the inbox repeats it. */
export const markSeen = (): Promise<unknown> => unwrap(api.POST('/api/v1/me/inbox/seen')).catch(() => {});
