import { setTimeout as delay } from 'node:timers/promises';
import { chunksOf, mapBy } from '../../core/groups.ts';
import { shareFinds } from '../../core/micro-batch.ts';
import type { EventWatch } from '../../events/ports.ts';
import { hintFor } from '../../events/rules/hints.ts';
import type { InboxSignal, StoredEntry } from '../../notifications/inbox/entry.ts';
import { applyReadGate, countInbox, type ReadInboxDeps } from '../../notifications/inbox/read-inbox.ts';
import { type Caller, may, scopeKey } from '../../people/caller.ts';
import type { LiveStream, OpenStreams } from './event-stream.ts';

/** Batches changes, because an event that many register for changes many times a second. */
const CHANGES_WINDOW_MS = 300;
/** How many streams get changes in one window. A process would be overloaded if all pages of a school loaded their events again at once. */
const STREAMS = 25;
const pauseForWindow = () => delay(CHANGES_WINDOW_MS, null, { ref: false });
/** How far back the changes of a new stream begin, because a page loads its events before its stream opens. */
const JUST_BEFORE_MS = 2_000;
/** How many rows one query reads. */
const BATCH = 500;

/** Broadcasts the ids of changed events to the people who may see them (`src/events/rules/hints.ts`). */
export function broadcastEventChanges(watch: Pick<EventWatch, 'loadVisibility' | 'findHidden'>, streams: OpenStreams) {
  let changed = new Set<string>();
  let isSending = false;
  /** When an event changed last, the oldest change first. */
  const recent = new Map<string, number>();

  const eventStreams = () => streams.all().filter(({ events, caller }) => events && may(caller, 'view_events'));

  function on(id: string): void {
    changed.add(id);
    if (!isSending) void sendChanged();
    forgetOlder();
    recent.delete(id);
    recent.set(id, performance.now());
  }

  function forgetOlder(): void {
    for (const [id, at] of recent) {
      if (at > performance.now() - JUST_BEFORE_MS) return;
      recent.delete(id);
    }
  }

  async function sendChanged(): Promise<void> {
    isSending = true;
    while (changed.size > 0) {
      await pauseForWindow();
      const ids = [...changed];
      changed = new Set();
      await broadcast(ids, eventStreams()).catch(() => streams.end(eventStreams(), 'lost'));
    }
    isSending = false;
  }

  /** Sends to a group of streams in each window. What changes meanwhile is sent afterwards. */
  async function broadcast(ids: readonly string[], to: readonly LiveStream[]): Promise<void> {
    if (to.length === 0) return;
    for (const some of chunksOf(ids, BATCH)) {
      const [events, hidden] = [await watch.loadVisibility(some), await watch.findHidden(some)];
      for (const [at, group] of chunksOf(to, STREAMS).entries()) {
        if (at > 0) await pauseForWindow();
        for (const stream of group) {
          const data = hintFor(stream.caller, events, hidden);
          if (data) stream.send({ event: 'event.changed', data });
        }
      }
    }
  }

  return {
    on,
    /** Sends the latest changes to a stream that opens. */
    async sendRecent(stream: LiveStream): Promise<void> {
      forgetOlder();
      await broadcast([...recent.keys()], [stream]);
    },
  };
}

/** Batches signals that arrive close together. */
const SIGNALS_WINDOW_MS = 20;
/** People served at the same time, who share the queries for events and facts. */
const PEOPLE = 50;

/** One stream event for each of the entries that the caller may see. */
export async function messageEvents(deps: ReadInboxDeps, caller: Caller, rows: readonly StoredEntry[]) {
  const arrivals = new Map(rows.map((row) => [row.id, row.arrived_at]));
  const shown = await applyReadGate(deps, caller, rows);
  return shown.map((data) => ({ event: 'message', id: arrivals.get(data.id) ?? 0, data }));
}

/** Broadcasts new and changed inbox entries to the streams of this process. */
export function broadcastInboxChanges(deps: ReadInboxDeps, streams: OpenStreams) {
  const shared: ReadInboxDeps = {
    ...deps,
    events: { ...deps.events, findMany: shareFinds((ids) => deps.events.findMany(ids)) },
    eventWatch: { loadVisibility: shareFinds((ids) => deps.eventWatch.loadVisibility(ids)) },
    facts: { ...deps.facts, findMany: shareFinds((ids) => deps.facts.findMany(ids)) },
  };
  let arrived = new Map<string, string>();
  let changed = new Set<string>();
  let broadcasting: Promise<void> = Promise.resolve();

  function on({ arrived: entries = [], marked }: InboxSignal): void {
    const isWaiting = changed.size > 0;
    for (const { id, ...person } of entries) {
      const key = scopeKey(person, person.user_id);
      if (!streams.has(key)) continue;
      arrived.set(id, key);
      changed.add(key);
    }
    if (marked) {
      const { mark, id, ...person } = marked;
      const key = scopeKey(person, person.user_id);
      for (const stream of streams.of(key)) {
        stream.send({ event: 'marked', data: { mark, id } });
        changed.add(key);
      }
    }
    if (changed.size > 0 && !isWaiting) setTimeout(flush, SIGNALS_WINDOW_MS).unref();
  }

  function flush(): void {
    const [entries, people] = [arrived, changed];
    arrived = new Map();
    changed = new Set();
    // Broadcast one batch after another, so that a later count never arrives before an earlier one.
    broadcasting = broadcasting.then(() =>
      broadcast([...entries.keys()], [...people]).catch(() => {
        // The clients reconnect with the last id they saw.
        for (const key of people) streams.end([...streams.of(key)], 'lost');
      }),
    );
  }

  async function broadcast(ids: readonly string[], people: readonly string[]): Promise<void> {
    const entries: StoredEntry[] = [];
    for (const some of chunksOf(ids, BATCH)) entries.push(...(await deps.inbox.findMany(some)));
    const byPerson = mapBy(entries, (entry) => [scopeKey(entry, entry.user_id)]);
    for (const some of chunksOf(people, PEOPLE))
      await Promise.all(some.map((key) => broadcastTo(key, byPerson.get(key) ?? [])));
  }

  async function broadcastTo(key: string, entries: readonly StoredEntry[]): Promise<void> {
    const [first] = streams.of(key);
    if (!first) return;
    const messages = await messageEvents(shared, first.caller, entries);
    const unread = { event: 'unread', data: await countInbox(shared, first.caller) };
    for (const stream of streams.of(key)) for (const event of [...messages, unread]) stream.send(event);
  }

  return on;
}
