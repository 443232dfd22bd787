import { chunksOf } from '../../core/groups.ts';
import type { EventWatch } from '../../events/ports.ts';
import { hintFor } from '../../events/rules/hints.ts';
import { may } from '../../people/permissions.ts';
import type { OpenStreams } from './event-stream.ts';

/** Batches changes, because an event that many register for changes many times a second. */
const BATCH_WINDOW_MS = 300;
const BATCH = 500;

/** Broadcasts the ids of changed events to the readers who may see them (`src/events/rules/hints.ts`). */
export function broadcastEventChanges(watch: Pick<EventWatch, 'seen' | 'hidden'>, streams: OpenStreams) {
  let changed = new Set<string>();
  let timer: NodeJS.Timeout | null = null;

  const readers = () => streams.all().filter(({ events, caller }) => events && may(caller, 'view_events'));

  function on(id: string): void {
    changed.add(id);
    timer ??= setTimeout(flush, BATCH_WINDOW_MS);
  }

  function flush(): void {
    timer = null;
    const ids = [...changed];
    changed = new Set();
    broadcast(ids).catch(() => streams.end(readers(), 'lost'));
  }

  async function broadcast(ids: readonly string[]): Promise<void> {
    for (const some of chunksOf(ids, BATCH)) {
      if (readers().length === 0) return;
      const [events, hidden] = [await watch.seen(some), await watch.hidden(some)];
      for (const reader of readers()) {
        const data = hintFor(reader.caller, events, hidden);
        if (data) reader.send({ event: 'event.changed', data });
      }
    }
  }

  return {
    on,
    stop: () => {
      if (timer) clearTimeout(timer);
    },
  };
}
