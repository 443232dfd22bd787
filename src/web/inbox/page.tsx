import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Archive, CheckCheck, Inbox as InboxIcon, Settings } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { api, unwrap } from '../api/client.ts';
import { invalidate, listQuery, queryClient, unreadQuery } from '../api/queries.ts';
import type { InboxEntry, ResponseOf } from '../api/types.ts';
import { oneOf } from '../app/search.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { announce, showFailure, showNotice } from '../parts/notices.tsx';
import { cardList, Empty, Loaded, MoreButton, Page } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { viewedAs } from '../session/stored.ts';
import { addDays, groupByDay, inZone, longDay, ownZone } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';
import { Entry } from './entry.tsx';

const PAGE = 30;
const FOLDERS = ['all', 'unread', 'archive'] as const;

/** The user's messages, newest first. */
const inboxQuery = (folder: (typeof FOLDERS)[number]) =>
  listQuery(['inbox', folder], '/api/v1/me/inbox', {
    query: { limit: PAGE, unread: folder === 'unread' || undefined, archived: folder === 'archive' || undefined },
  });

type Change = (entry: InboxEntry) => InboxEntry | null;
type LoadedPage = ResponseOf<'/api/v1/me/inbox'>;

/** Changes an entry in the loaded lists, or removes it (null), before the server has. */
function updateCache(change: Change): void {
  const changed = (page: LoadedPage) => ({ ...page, data: page.data.flatMap((entry) => change(entry) ?? []) });
  queryClient.setQueriesData<InfiniteData<LoadedPage>>(
    { queryKey: ['inbox'] },
    (loaded) => loaded && { ...loaded, pages: loaded.pages.map(changed) },
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

const markRead = mark('read', asRead);
const archive = mark('archive', () => null);
const unarchive = mark('unarchive', () => null);
const readAll = () => apply(asRead, () => unwrap(api.POST('/api/v1/me/inbox/read_all')));

/** Marks all messages as seen. Ignores errors: the next visit to the inbox repeats it. */
const markSeen = (): Promise<unknown> => unwrap(api.POST('/api/v1/me/inbox/seen')).catch(() => {});

const PICTURES = { all: InboxIcon, unread: CheckCheck, archive: Archive };

export default function InboxPage() {
  const folder = oneOf(FOLDERS, useSearch({ from: '/signed-in/inbox' }).show) ?? 'all';
  const messages = useInfiniteQuery(inboxQuery(folder));
  const { data: counts } = useQuery(unreadQuery);
  const isOwn = viewedAs() === null;
  useSeen(isOwn ? (counts?.unseen_count ?? 0) : 0);
  const list = useRef<HTMLDivElement>(null);
  const unread = counts?.unread_count ?? 0;

  const left = useFocusAfter(list, messages.data?.length ?? 0);
  const move = async ({ id, archived_at }: InboxEntry) => {
    const isArchived = archived_at !== null;
    const [go, back] = isArchived ? [unarchive, archive] : [archive, unarchive];
    left(messages.data?.findIndex((one) => one.id === id) ?? 0);
    if (!(await go(id))) return;
    showNotice(t(isArchived ? 'inbox.unarchived' : 'inbox.archived'), { undo: () => void back(id) });
  };

  return (
    <Page title={t('nav.inbox')}>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-3">
        <h1 className="text-2xl font-semibold">{t('nav.inbox')}</h1>
        <div data-print="no" className="ml-auto flex flex-wrap gap-1">
          {isOwn && unread > 0 && folder !== 'archive' && (
            <Button
              look="quiet"
              onClick={() => {
                list.current?.focus();
                void readAll().then((done) => done && announce(t('inbox.allRead')));
              }}
              icon={CheckCheck}
            >
              {t('inbox.readAll')}
            </Button>
          )}
          {isOwn && (
            <ButtonLink to="/settings" hash="messages" look="quiet" icon={Settings}>
              <span className="max-sm:sr-only">{t('inbox.settings')}</span>
            </ButtonLink>
          )}
        </div>
        <Tabs
          label={t('inbox.folders')}
          tabs={FOLDERS.map((one) => ({
            to: '/inbox',
            search: one === 'all' ? {} : { show: one },
            isOn: one === folder,
            label: one === 'unread' && unread > 0 ? `${t('inbox.unread')} (${unread})` : t(`inbox.${one}`),
          }))}
        />
      </div>
      <div ref={list} tabIndex={-1} className="grid gap-5 outline-none print:block print:space-y-5">
        <Loaded query={messages}>
          {(entries) =>
            entries.length === 0 ? (
              <Empty icon={PICTURES[folder]} title={t(`inbox.none.${folder}`)} text={t(`inbox.none.${folder}.text`)} />
            ) : (
              groupByDay(entries, dayOf).map(([day, some]) => (
                <section key={day} aria-labelledby={`day-${day}`}>
                  <h2 id={`day-${day}`} className="mb-1.5 px-1 text-sm font-semibold text-soft">
                    {dayName(day)}
                  </h2>
                  <ul className={cardList}>
                    {some.map((entry) => (
                      <Entry
                        key={entry.id}
                        entry={entry}
                        onRead={() => void markRead(entry.id)}
                        onMove={() => void move(entry)}
                      />
                    ))}
                  </ul>
                </section>
              ))
            )
          }
        </Loaded>
        <MoreButton query={messages} />
      </div>
    </Page>
  );
}

/** Marks new messages as seen while the page is visible. */
function useSeen(unseen: number): void {
  useEffect(() => {
    if (unseen === 0) return;
    const see = () => {
      if (document.visibilityState === 'visible') void markSeen();
    };
    see();
    document.addEventListener('visibilitychange', see);
    return () => document.removeEventListener('visibilitychange', see);
  }, [unseen]);
}

/** Focuses the next entry when one leaves the list. @returns call it with the index of the leaving entry */
function useFocusAfter(list: RefObject<HTMLElement | null>, count: number): (at: number) => void {
  const leaving = useRef<{ at: number; of: number } | null>(null);
  useEffect(() => {
    if (!leaving.current || count >= leaving.current.of) return;
    const entries = list.current?.querySelectorAll('li') ?? [];
    const next = entries[Math.min(leaving.current.at, entries.length - 1)];
    // An entry has more than one link if its text does, and none if it is a message of the school.
    (next?.querySelector<HTMLElement>('a, button') ?? list.current)?.focus();
    leaving.current = null;
  }, [list, count]);
  return (at) => {
    leaving.current = { at, of: count };
  };
}

const dayOf = ({ created_at }: InboxEntry): string => inZone(created_at, ownZone()).day;

function dayName(day: string): string {
  const today = inZone(Date.now(), ownZone()).day;
  if (day === today) return t('calendar.today');
  return day === addDays(today, -1) ? t('inbox.yesterday') : longDay(day);
}
