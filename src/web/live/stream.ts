import { api } from '../api/client.ts';
import type { InboxEntry } from '../api/types.ts';
import { currentSession, expireSession, sessionStore } from '../session/session.ts';

/** Messages of the event stream, as its route describes them. */
export type StreamEvent =
  | { event: 'ready' | 'unread'; data: { unread_count: number; unseen_count: number } }
  | { event: 'message'; data: InboxEntry }
  | { event: 'marked'; data: { mark: string; id: string | null } }
  | { event: 'event.changed'; data: { ids: string[]; some_gone: boolean } }
  | { event: 'reset'; data: object }
  | { event: 'end'; data: { why: 'token' | 'shutdown' | 'lost' } };

/** A message with its id, which a reconnect sends as `last-event-id`. */
export type StreamMessage = StreamEvent & { id: string | null };

/** The server sends something at least every 20 seconds, so a longer silence means a dead connection. */
const SILENCE_MS = 50_000;
const RETRY_MS = 2_000;
const RETRY_MAX_MS = 60_000;

type Options = {
  events: boolean;
  lastId: () => string | null;
  on: (message: StreamMessage) => void;
  signal: AbortSignal;
};

/**
 * Keeps the event stream open until `signal` aborts. Reconnects with the last id: soon after an orderly end, with
 * exponential backoff after failures, immediately when the network is back or the user has signed in again. Never throws.
 */
export async function keepStreamOpen(options: Options): Promise<void> {
  const { signal } = options;
  let failures = 0;
  while (!signal.aborted && currentSession()) {
    const { received, retryMs } = await readStream(options);
    failures = received ? 0 : failures + 1;
    const pause = Math.min(retryMs * 2 ** Math.min(failures, 5), Math.max(RETRY_MAX_MS, retryMs));
    await pauseFor(pause, signal);
  }
}

async function readStream({ events, lastId, on, signal }: Options): Promise<{ received: boolean; retryMs: number }> {
  const connection = new AbortController();
  const end = () => connection.abort();
  // Safari before 17.4 has no `AbortSignal.any`.
  signal.addEventListener('abort', end, { signal: connection.signal });
  const { token } = currentSession() ?? {};
  let retryMs = RETRY_MS;
  let received = false;
  let silence = setTimeout(end, SILENCE_MS);
  try {
    const last = lastId();
    const { data, response } = await api.GET('/api/v1/me/inbox/stream', {
      params: { query: events ? { events } : {}, header: last === null ? {} : { 'last-event-id': last } },
      parseAs: 'stream',
      signal: connection.signal,
    });
    if (!response.ok || !data) {
      const seconds = Number(response.headers.get('retry-after'));
      return { received, retryMs: seconds > 0 ? seconds * 1_000 : retryMs };
    }
    const frames = createFrameParser((ms) => {
      retryMs = ms;
    });
    const reader = (data as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream() as never).getReader();
    for (;;) {
      const { done, value } = (await reader.read()) as ReadableStreamReadResult<string>;
      if (done) break;
      clearTimeout(silence);
      silence = setTimeout(end, SILENCE_MS);
      for (const { event, data: text, id } of frames(value)) {
        received = true;
        const message = { event, data: JSON.parse(text) } as StreamEvent;
        if (message.event === 'end' && message.data.why === 'token' && token) expireSession(token);
        on({ ...message, id });
      }
    }
  } catch {
    // The connection broke, or was silent for too long.
  } finally {
    clearTimeout(silence);
    connection.abort();
  }
  return { received, retryMs };
}

function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      unsubscribe();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    const { unsubscribe } = sessionStore.subscribe(done);
    window.addEventListener('online', done);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}

/** One server-sent event. */
type Frame = { event: string; data: string; id: string | null };

/**
 * Creates a parser of text/event-stream as this service writes it. It takes the text in chunks and returns the events that
 * each chunk completes. Ignores comments; passes `retry` to `onRetry`.
 */
function createFrameParser(onRetry: (ms: number) => void): (text: string) => Frame[] {
  let rest = '';
  return (text) => {
    const parts = (rest + text).replaceAll('\r\n', '\n').split('\n\n');
    rest = parts.pop() ?? '';
    return parts.flatMap((part) => {
      // The name of a field and its value are split at the first colon.
      const fields = new Map(part.split('\n').map((line) => line.split(/: ?(.*)/s) as [name: string, value: string]));
      const retry = fields.get('retry') ?? '';
      if (/^\d+$/.test(retry)) onRetry(Number(retry));
      const data = fields.get('data');
      return data ? [{ event: fields.get('event') ?? 'message', data, id: fields.get('id') ?? null }] : [];
    });
  };
}
