import { chunksOf } from '../../core/chunks-of.ts';
import type { InboxSignal, InboxStore, StoredInboxEntry } from '../../notifications/ports.ts';
import { type OpenStreams, personOf } from './open-streams.ts';

/** Batches signals that arrive close together. */
const BATCH_WINDOW_MS = 20;
/** How many entries one query reads. */
const BATCH = 500;

export const messageEvent = ({ arrived_at, ...entry }: StoredInboxEntry) => ({
  event: 'message',
  id: arrived_at,
  data: entryView(entry),
});

const entryView = ({ tenant_id: _, school_id: __, user_id: ___, ...entry }: Omit<StoredInboxEntry, 'arrived_at'>) =>
  entry;

/** Broadcasts new and changed inbox entries to the readers of this process. */
export function broadcastInboxChanges(inbox: Pick<InboxStore, 'findMany' | 'counts'>, streams: OpenStreams) {
  let arrived = new Map<string, string>();
  let changed = new Map<string, Parameters<InboxStore['counts']>>();
  let timer: NodeJS.Timeout | null = null;
  let broadcasting: Promise<void> = Promise.resolve();

  function on({ arrived: entries = [], marked }: InboxSignal): void {
    for (const { id, ...person } of entries) {
      const key = personOf(person);
      if (!streams.has(key)) continue;
      arrived.set(id, key);
      changed.set(key, [person, person.user_id]);
    }
    if (marked) {
      const { mark, id, ...person } = marked;
      const key = personOf(person);
      if (!streams.has(key)) return;
      for (const reader of streams.of(key)) reader.send({ event: 'marked', data: { mark, id } });
      changed.set(key, [person, person.user_id]);
    }
    if (changed.size > 0 && !timer) timer = setTimeout(flush, BATCH_WINDOW_MS);
  }

  function flush(): void {
    timer = null;
    const [entries, people] = [arrived, changed];
    arrived = new Map();
    changed = new Map();
    // Broadcast one batch after another, so that a later count never arrives before an earlier one.
    broadcasting = broadcasting.then(() =>
      broadcast(entries, people).catch(() => {
        // The readers reconnect with the last id they saw.
        for (const key of people.keys()) streams.end([...streams.of(key)], 'lost');
      }),
    );
  }

  async function broadcast(
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
