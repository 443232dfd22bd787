import type { Readable } from 'node:stream';
import type { Clock } from '../../core/clock.ts';
import type { EventWatch } from '../../events/ports.ts';
import type { InboxSignal, InboxStore, Listen } from '../../notifications/ports.ts';
import { type Caller, scopeOf } from '../../people/caller.ts';
import type { HttpLog } from '../deps.ts';
import { eventNews } from './event-news.ts';
import { inboxNews, messageEvent } from './inbox-news.ts';
import { openStreams, STREAM_LIMITS, type StreamLimits } from './open-streams.ts';

export type LiveDeps = {
  clock: Clock;
  inbox: Pick<InboxStore, 'counts' | 'findMany' | 'since'>;
  inboxSignals: Listen<InboxSignal>;
  eventWatch: EventWatch;
};

export type Live = {
  /** @throws Refused `rate_limited` or `busy` where too many are open already */
  open(caller: Caller, options: { events: boolean; lastEventId?: string | undefined }): Promise<Readable>;
  /** Ends every stream in order; no further one is opened. */
  close(): Promise<void>;
};

/**
 * How far before the last seen second is read again: a row's moment is given before its write is done. What comes a
 * second time has the same id.
 */
const OVERLAP_S = 10;
/** More than that is not sent again one by one: the reader loads its list instead. */
const AGAIN_MAX = 200;

/**
 * What happens to people's inboxes, and to events, as streams. One listener per process on what MongoDB tells of all
 * processes' writes, opened with the first reader; from there on it is fanned out in memory. Where the listener is lost,
 * every stream ends: its reader comes back with the last id it saw, and what came meanwhile is read from the inbox.
 */
export function openLive(deps: LiveDeps, limits: Partial<StreamLimits> = {}, log: HttpLog | false = false): Live {
  const streams = openStreams({ ...STREAM_LIMITS, ...limits });
  let news: { inbox: ReturnType<typeof inboxNews>; events: ReturnType<typeof eventNews> } | null = null;
  const theNews = () => {
    news ??= { inbox: inboxNews(deps.inbox, streams), events: eventNews(deps.eventWatch, streams) };
    return news;
  };

  function lost(what: string, error: unknown, readers = streams.all()): void {
    if (log) log.warn({ what, error: error instanceof Error ? error.name : 'unknown' }, 'streams.lost');
    streams.end(readers, 'lost');
  }
  const inbox = once(() =>
    deps.inboxSignals(theNews().inbox.on, (error) => {
      inbox.forget();
      lost('inbox', error);
    }),
  );
  const events = once(() =>
    deps.eventWatch.listen(theNews().events.on, (error) => {
      events.forget();
      lost(
        'events',
        error,
        streams.all().filter((reader) => reader.events),
      );
    }),
  );

  return {
    async open(caller, { events: withEvents, lastEventId }) {
      const reader = streams.open(caller, withEvents);
      try {
        await inbox.started();
        if (withEvents) await events.started();
        const scope = scopeOf(caller);
        const last = lastEventId === undefined ? null : Number(lastEventId);
        const at = Math.floor(deps.clock.now().getTime() / 1000);
        const missed =
          last === null
            ? []
            : Number.isSafeInteger(last)
              ? await deps.inbox.since(scope, caller.user_id, last - OVERLAP_S, AGAIN_MAX)
              : null;
        reader.stream.send({ event: 'ready', id: at, data: await deps.inbox.counts(scope, caller.user_id) });
        if (missed === null) reader.stream.send({ event: 'reset', data: {} });
        for (const entry of missed ?? []) reader.stream.send(messageEvent(entry));
        reader.begin();
        return reader.stream.body;
      } catch (error) {
        reader.stream.body.destroy();
        throw error;
      }
    },
    async close() {
      streams.refuseMore();
      streams.end(streams.all(), 'shutdown');
      news?.inbox.stop();
      news?.events.stop();
      await Promise.all([inbox.stop(), events.stop()]);
    },
  };
}

/** Something that is started when it is first needed, and again after it was lost. */
function once(start: () => Promise<() => Promise<void>>) {
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
