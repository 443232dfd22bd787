import { queryClient, unreadQuery } from '../api/queries.ts';
import type { InboxEntry } from '../api/types.ts';
import { gathered } from './gathered.ts';
import type { News, Told } from './news.ts';

/** Queries by the first word of their key: about many events, and about no event at all. */
const OF_MANY: readonly unknown[] = ['calendar', 'events', 'statistics'];
const OF_NONE: readonly unknown[] = ['me', 'options', 'unread', 'inbox', 'preferences', 'feed', 'ops'];
/** What somebody is editing stays as they found it: another's change is noticed when they save. */
const IN_HAND = 'event-to-edit';

/** A page that nobody looks at learns that it is out of date, and asks when somebody looks again. */
const refetchType = () => (document.visibilityState === 'visible' ? ('active' as const) : ('none' as const));

/**
 * These events changed, or any may have (`all`): the calendar, lists and figures are asked for again, and every query
 * with the id of such an event in its key. A page need know no more than its query.
 * @param asOf only what was answered before
 */
export function refreshEvents(ids: readonly string[] | 'all', asOf?: number): void {
  const names = (part: unknown) => typeof part === 'string' && ids.includes(part);
  const concerns = ([kind, ...rest]: readonly unknown[]) =>
    kind !== IN_HAND && (ids === 'all' ? !OF_NONE.includes(kind) : OF_MANY.includes(kind) || rest.some(names));
  void queryClient.invalidateQueries({
    predicate: ({ queryKey, state }) =>
      concerns(queryKey) && (asOf === undefined || isOlder(state.dataUpdatedAt, asOf)),
    refetchType: refetchType(),
  });
}

/** What is still on its way is new enough. */
const isOlder = (updatedAt: number, asOf: number): boolean => updatedAt > 0 && updatedAt < asOf;

const refreshInbox = gathered(200, () => {
  void queryClient.invalidateQueries({ queryKey: ['inbox'], refetchType: refetchType() });
});

/** An event that many register for changes all the time; a page that shows it looks again now and then. */
const eventsChanged = gathered<{ ids: string[]; some_gone: boolean }>(1_500, (changes) => {
  refreshEvents(changes.some(({ some_gone }) => some_gone) ? 'all' : changes.flatMap(({ ids }) => ids));
});
const ANY = { ids: [], some_gone: true };
/** What a page asked for before that may have changed while it waited for the connection. */
const JUST_NOW_MS = 1_000;

/** Every tab takes in what came over the one connection of the browser. */
export function newsTaker(onMessages: (entries: readonly InboxEntry[]) => void) {
  const known = new Set<string>();
  const fresh = gathered<InboxEntry>(300, onMessages);
  let lastId: string | null = null;
  let wasReady = false;

  const take: { [E in News['event']]: (data: Extract<News, { event: E }>['data']) => void } = {
    ready(counts) {
      queryClient.setQueryData(unreadQuery.queryKey, counts);
      refreshInbox();
      // What changed while there was no connection is not told afterwards.
      if (wasReady) eventsChanged(ANY);
      else refreshEvents('all', Date.now() - JUST_NOW_MS);
      wasReady = true;
    },
    unread(counts) {
      queryClient.setQueryData(unreadQuery.queryKey, counts);
    },
    message(entry) {
      if (known.has(entry.id)) return;
      known.add(entry.id);
      if (entry.read_at === null) fresh(entry);
      refreshInbox();
    },
    marked: () => refreshInbox(),
    'event.changed': eventsChanged,
    reset() {
      refreshInbox();
      eventsChanged(ANY);
    },
    end() {},
  };
  return {
    lastId: () => lastId,
    take({ id, event, data }: Told): void {
      if (id !== null) lastId = id;
      // One that a later server tells of is passed over.
      (take[event] as ((data: unknown) => void) | undefined)?.(data);
    },
  };
}
