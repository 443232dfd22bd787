import { queryClient, unreadQuery } from '../api/queries.ts';
import type { InboxEntry } from '../api/types.ts';
import { coalesce } from './coalesce.ts';
import type { StreamEvent, StreamMessage } from './stream.ts';

/** The form keeps the event as loaded; saving detects another user's change. */
export const BEING_EDITED = 'event-to-edit';
/** First parts of the keys of queries about many events. */
const OF_MANY: readonly unknown[] = ['calendar', 'events', 'statistics', 'inbox'];
/** First parts of the keys of queries that stay. A dry run would fail once its action is done. */
const STAYING: readonly unknown[] = ['me', 'options', 'unread', 'preferences', 'ops', 'dry-run', BEING_EDITED];

/** A hidden page only marks its data as stale and refetches once visible. */
const refetchType = () => (document.visibilityState === 'visible' ? ('active' as const) : ('none' as const));

/**
 * Refetches the calendar, lists and statistics, and every query with one of these event ids in its key (`all`: every query
 * about events).
 * @param asOf only queries loaded before this time
 */
function refreshEvents(ids: readonly string[] | 'all', asOf?: number): Promise<void> {
  const names = (part: unknown) => typeof part === 'string' && ids.includes(part);
  const concerns = ([kind, ...rest]: readonly unknown[]) =>
    !STAYING.includes(kind) && (ids === 'all' || OF_MANY.includes(kind) || rest.some(names));
  return queryClient.invalidateQueries({
    predicate: ({ queryKey, state }) =>
      concerns(queryKey) && (asOf === undefined || isOlder(state.dataUpdatedAt, asOf)),
    refetchType: refetchType(),
  });
}

/** A query without a response yet is new enough. */
const isOlder = (updatedAt: number, asOf: number): boolean => updatedAt > 0 && updatedAt < asOf;

const refreshInbox = coalesce(200, () =>
  queryClient.invalidateQueries({ queryKey: ['inbox'], refetchType: refetchType() }),
);

/** Coalesced: a popular event changes with every registration. */
const refreshChanged = coalesce<{ ids: string[]; some_gone: boolean }>(1_500, (changes) =>
  refreshEvents(changes.some(({ some_gone }) => some_gone) ? 'all' : changes.flatMap(({ ids }) => ids)),
);
const ANY = { ids: [], some_gone: true };
/** Older data may lack a change: the stream begins with those of the two seconds before it opened. */
const JUST_NOW_MS = 1_000;

/** Creates the handler that applies stream messages to this tab's data; `onMessages` receives new inbox entries. */
export function createMessageHandler(onMessages: (entries: readonly InboxEntry[]) => void) {
  const handled = new Set<string>();
  const notify = coalesce<InboxEntry>(300, onMessages);
  let lastId: string | null = null;
  let wasReady = false;

  const handlers: { [E in StreamEvent['event']]: (data: Extract<StreamEvent, { event: E }>['data']) => void } = {
    ready(counts) {
      queryClient.setQueryData(unreadQuery.queryKey, counts);
      refreshInbox();
      // The stream does not repeat changes made while it was closed.
      if (wasReady) refreshChanged(ANY);
      else void refreshEvents('all', Date.now() - JUST_NOW_MS);
      wasReady = true;
    },
    unread(counts) {
      queryClient.setQueryData(unreadQuery.queryKey, counts);
    },
    message(entry) {
      if (handled.has(entry.id)) return;
      handled.add(entry.id);
      if (entry.read_at === null && !entry.superseded) notify(entry);
      refreshInbox();
    },
    marked: () => refreshInbox(),
    'event.changed': refreshChanged,
    reset() {
      refreshInbox();
      refreshChanged(ANY);
    },
    end() {},
  };
  return {
    lastId: () => lastId,
    handle({ id, event, data }: StreamMessage): void {
      if (id !== null) lastId = id;
      // Ignore event types that a newer server may send.
      (handlers[event] as ((data: unknown) => void) | undefined)?.(data);
    },
  };
}
