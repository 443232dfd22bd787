import { chunksOf } from '../../core/chunks-of.ts';
import type { InboxSignal, InboxStore, StoredInboxEntry } from '../../notifications/ports.ts';
import { type OpenStreams, personOf } from './open-streams.ts';

/** Signals that come close together are answered together. */
const GATHER_MS = 20;
/** Entries read at once. */
const BATCH = 500;

export const messageEvent = ({ arrived_at, ...entry }: StoredInboxEntry) => ({
  event: 'message',
  id: arrived_at,
  data: entryView(entry),
});

const entryView = ({ tenant_id: _, school_id: __, user_id: ___, ...entry }: Omit<StoredInboxEntry, 'arrived_at'>) =>
  entry;

/** From signals to what the readers of this process are sent; whoever has no reader here costs nothing but a look. */
export function inboxNews(inbox: Pick<InboxStore, 'findMany' | 'counts'>, streams: OpenStreams) {
  let arrived = new Map<string, string>();
  let touched = new Map<string, Parameters<InboxStore['counts']>>();
  let timer: NodeJS.Timeout | null = null;
  let working: Promise<void> = Promise.resolve();

  function on({ arrived: entries = [], marked }: InboxSignal): void {
    for (const { id, ...person } of entries) {
      const key = personOf(person);
      if (!streams.has(key)) continue;
      arrived.set(id, key);
      touched.set(key, [person, person.user_id]);
    }
    if (marked) {
      const { mark, id, ...person } = marked;
      const key = personOf(person);
      if (!streams.has(key)) return;
      for (const reader of streams.of(key)) reader.send({ event: 'marked', data: { mark, id } });
      touched.set(key, [person, person.user_id]);
    }
    if (touched.size > 0 && !timer) timer = setTimeout(flush, GATHER_MS);
  }

  function flush(): void {
    timer = null;
    const [entries, people] = [arrived, touched];
    arrived = new Map();
    touched = new Map();
    // One after another, so that a later count never comes before an earlier one.
    working = working.then(() =>
      tell(entries, people).catch(() => {
        // They come back and say what they have seen last.
        for (const key of people.keys()) streams.end([...streams.of(key)], 'lost');
      }),
    );
  }

  async function tell(
    entries: ReadonlyMap<string, string>,
    people: ReadonlyMap<string, Parameters<InboxStore['counts']>>,
  ): Promise<void> {
    for (const ids of chunksOf([...entries.keys()], BATCH)) {
      for (const entry of await inbox.findMany(ids)) {
        const key = personOf(entry);
        if (entries.get(entry.id) !== key) continue;
        for (const reader of streams.of(key)) reader.send(messageEvent(entry));
      }
    }
    for (const [key, asked] of people) {
      if (!streams.has(key)) continue;
      const data = await inbox.counts(...asked);
      for (const reader of streams.of(key)) reader.send({ event: 'unread', data });
    }
  }

  return {
    on,
    stop: () => {
      if (timer) clearTimeout(timer);
    },
  };
}
