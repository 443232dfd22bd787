import { Readable } from 'node:stream';
import type { Clock } from '../../core/clock.ts';
import { busy, Refused } from '../../core/errors.ts';
import { type Caller, scopeKey } from '../../people/caller.ts';

type ServerEvent = { event: string; data: unknown; id?: number };

/** `token`: the token expired · `shutdown`: the process stops · `lost`: the stream may have missed changes. */
type StreamEnd = 'token' | 'shutdown' | 'lost';

/** High-water mark in bytes: a slower client is disconnected and reconnects with the last id it saw. */
const BUFFER_MAX = 256 * 1024;
/**
 * When a browser reconnects, in milliseconds: after `least`, plus a random share of `jitter` and of `perStream` for each open stream.
 * Otherwise all clients of a process that stops would load their pages again at the same moment.
 */
const RETRY_MS = { least: 1_000, jitter: 3_000, perStream: 10 };

/** One open stream of server-sent events (text/event-stream). Events that are sent before `begin` wait for it. */
function createStream(caller: Caller, events: boolean, others: number) {
  const body = new Readable({ read() {}, highWaterMark: 16 * 1024 });
  let waiting: ServerEvent[] | null = [];
  let ended = false;
  const write = (text: string) => {
    if (ended || body.destroyed) return;
    body.push(text);
    if (body.readableLength > BUFFER_MAX) body.destroy();
  };
  const sendNow = (event: ServerEvent) => write(frameOf(event));
  const { least, jitter, perStream } = RETRY_MS;
  write(`retry: ${Math.round(least + Math.random() * (jitter + others * perStream))}\n\n`);
  return {
    caller,
    /** whether the ids of changed events are sent too */
    events,
    body,
    sendNow,
    send(event: ServerEvent) {
      if (waiting) waiting.push(event);
      else sendNow(event);
    },
    begin() {
      waiting?.forEach(sendNow);
      waiting = null;
    },
    /** Sends a comment, so that proxies don't close a silent connection. */
    sendHeartbeat: () => write(': heartbeat\n\n'),
    /** Sends an `end` event with the reason and closes the stream. */
    end(why: StreamEnd) {
      if (ended) return;
      sendNow({ event: 'end', data: { why } });
      ended = true;
      body.push(null);
    },
  };
}

export type LiveStream = ReturnType<typeof createStream>;

/** Formats one server-sent event. JSON has no raw line breaks, so one data line is enough. */
const frameOf = ({ event, data, id }: ServerEvent): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

export type StreamLimits = {
  /** open streams of one person in this process */
  perPerson: number;
  /** open streams of this process */
  total: number;
  heartbeatMs: number;
};

export const STREAM_LIMITS: StreamLimits = { perPerson: 10, total: 5_000, heartbeatMs: 20_000 };

/** The longest timeout that Node supports. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** Manages the open streams of this process: limits, heartbeats and expiry of tokens. */
export function openStreams(clock: Clock, limits: StreamLimits) {
  const byPerson = new Map<string, Set<LiveStream>>();
  let count = 0;
  let ending = false;
  let heartbeat: NodeJS.Timeout | null = null;

  const all = (): LiveStream[] => [...byPerson.values()].flatMap((ofOne) => [...ofOne]);

  /** @throws Refused `rate_limited` or `busy` */
  function open(caller: Caller, events: boolean): LiveStream {
    const person = scopeKey(caller, caller.user_id);
    const own = byPerson.get(person) ?? new Set();
    if (ending || count >= limits.total)
      throw busy('The server has too many open streams. Try again in a few seconds.', 5);
    if (own.size >= limits.perPerson)
      throw new Refused({
        code: 'rate_limited',
        detail: `You have ${limits.perPerson} open streams, which is the limit. Close a browser tab and try again.`,
        retryAfter: 30,
      });
    const stream = createStream(caller, events, count);
    byPerson.set(person, own.add(stream));
    count += 1;
    heartbeat ??= setInterval(() => {
      for (const { sendHeartbeat } of all()) sendHeartbeat();
    }, limits.heartbeatMs).unref();
    const left = caller.expires_at ? caller.expires_at.getTime() - clock.now().getTime() : TIMER_MAX_MS;
    const expiry = setTimeout(() => stream.end('token'), Math.min(Math.max(left, 0), TIMER_MAX_MS)).unref();
    stream.body.once('close', () => {
      clearTimeout(expiry);
      count -= 1;
      own.delete(stream);
      if (own.size === 0 && byPerson.get(person) === own) byPerson.delete(person);
      if (count === 0 && heartbeat) {
        clearInterval(heartbeat);
        heartbeat = null;
      }
    });
    return stream;
  }

  return {
    open,
    all,
    of: (person: string): Iterable<LiveStream> => byPerson.get(person) ?? [],
    has: (person: string): boolean => byPerson.has(person),
    end: (streams: Iterable<LiveStream>, why: StreamEnd) => {
      for (const stream of streams) stream.end(why);
    },
    refuseMore: () => {
      ending = true;
    },
  };
}

export type OpenStreams = ReturnType<typeof openStreams>;
