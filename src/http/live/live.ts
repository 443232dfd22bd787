import type { Readable } from 'node:stream';
import type { Listen } from '../../core/wake-ups.ts';
import type { EventWatch } from '../../events/ports.ts';
import type { InboxSignal } from '../../notifications/inbox/entry.ts';
import { countInbox, type ReadInboxDeps } from '../../notifications/inbox/read-inbox.ts';
import { type Caller, scopeOf } from '../../people/caller.ts';
import type { HttpLog } from '../log.ts';
import { broadcastEventChanges, broadcastInboxChanges, messageEvents } from './broadcast.ts';
import { openStreams, STREAM_LIMITS, type StreamLimits } from './event-stream.ts';

type LiveDeps = ReadInboxDeps & {
  inboxSignals: Listen<InboxSignal>;
  eventWatch: EventWatch;
};

/**
 * A reconnect reads again from this many seconds before the last id, because a row gets its time before its write
 * commits. Repeated messages have the same id.
 */
const OVERLAP_S = 10;
/** With more missed messages than this, the client gets `reset` and loads its list. */
const RESEND_MAX = 200;

/**
 * Live streams of inbox and event changes. Each process opens one MongoDB change stream with its first client and fans
 * changes out in memory. If the change stream fails, all streams end; clients reconnect with the last id they saw and get
 * the missed messages from the inbox.
 */
export function openLive(deps: LiveDeps, limits: Partial<StreamLimits> = {}, log: HttpLog | false = false) {
  const streams = openStreams(deps.clock, { ...STREAM_LIMITS, ...limits });
  const onInboxSignal = broadcastInboxChanges(deps, streams);
  const eventBroadcast = broadcastEventChanges(deps.eventWatch, streams);

  function lost(what: string, error: unknown, ended = streams.all()): void {
    if (log) log.warn({ what, error: error instanceof Error ? error.name : 'unknown' }, 'streams.lost');
    streams.end(ended, 'lost');
  }
  const inbox = startLazily(() =>
    deps.inboxSignals(onInboxSignal, (error) => {
      inbox.forget();
      lost('inbox', error);
    }),
  );
  const events = startLazily(() =>
    deps.eventWatch.listen(eventBroadcast.on, (error) => {
      events.forget();
      const eventStreams = streams.all().filter((one) => one.events);
      lost('events', error, eventStreams);
    }),
  );

  /** @returns null if the id is none of ours, or too many messages were missed */
  const loadMissed = async (caller: Caller, last: number) =>
    Number.isSafeInteger(last)
      ? deps.inbox.findSince(scopeOf(caller), caller.user_id, last - OVERLAP_S, RESEND_MAX)
      : null;

  return {
    /** @throws Refused `rate_limited` or `busy` if too many streams are open */
    async open(
      caller: Caller,
      { events: withEvents, lastEventId }: { events: boolean; lastEventId: unknown },
    ): Promise<Readable> {
      const stream = streams.open(caller, withEvents);
      try {
        await inbox.started();
        if (withEvents) await events.started();
        // A client that reconnects loads everything again.
        if (withEvents && lastEventId === undefined) await eventBroadcast.sendRecent(stream);
        const at = Math.floor(deps.clock.now().getTime() / 1000);
        const missed = lastEventId === undefined ? [] : await loadMissed(caller, Number(lastEventId));
        stream.sendNow({ event: 'ready', id: at, data: await countInbox(deps, caller) });
        if (missed === null) stream.sendNow({ event: 'reset', data: {} });
        for (const event of await messageEvents(deps, caller, missed ?? [])) stream.sendNow(event);
        stream.begin();
        return stream.body;
      } catch (error) {
        stream.body.destroy();
        throw error;
      }
    },
    /** Ends every stream and opens no more. */
    async close() {
      streams.refuseMore();
      streams.end(streams.all(), 'shutdown');
      await Promise.all([inbox.stop(), events.stop()]);
    },
  };
}

export type Live = ReturnType<typeof openLive>;

/** Starts a resource at its first use, and again after `forget`. */
function startLazily(start: () => Promise<() => Promise<void>>) {
  let running: Promise<() => Promise<void>> | null = null;
  const forget = () => {
    running = null;
  };
  return {
    forget,
    async started(): Promise<void> {
      running ??= start();
      const mine = running;
      await mine.catch((error) => {
        if (running === mine) forget();
        throw error;
      });
    },
    async stop(): Promise<void> {
      const stop = await running?.catch(() => null);
      await stop?.().catch(() => {});
    },
  };
}
