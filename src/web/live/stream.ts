import { api } from '../api/client.ts';
import { ApiError } from '../api/problem.ts';
import type { Problem } from '../api/types.ts';
import { currentToken, expireSession, sessionStore } from '../session/session.ts';
import { createFrameParser } from './frames.ts';
import type { StreamEvent, StreamMessage } from './stream-messages.ts';

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
  while (!signal.aborted && currentToken()) {
    const { received, retryMs } = await readStream(options);
    failures = received ? 0 : failures + 1;
    const pause = Math.min(retryMs * 2 ** Math.min(failures, 5), Math.max(RETRY_MAX_MS, retryMs));
    await pauseFor(pause, signal);
  }
}

async function readStream({ events, lastId, on, signal }: Options): Promise<{ received: boolean; retryMs: number }> {
  const connection = new AbortController();
  const end = () => connection.abort();
  signal.addEventListener('abort', end);
  const { token } = currentToken() ?? {};
  let retryMs = RETRY_MS;
  let received = false;
  let silence = setTimeout(end, SILENCE_MS);
  try {
    const last = lastId();
    const { data, error, response } = await api.GET('/api/v1/me/inbox/stream', {
      params: { query: events ? { events } : {}, header: last === null ? {} : { 'last-event-id': last } },
      parseAs: 'stream',
      cache: 'no-store',
      signal: connection.signal,
    });
    if (!response.ok || !data) throw apiErrorOf(response, error);
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
  } catch (error) {
    if (error instanceof ApiError && error.retryAfterMs !== null) retryMs = error.retryAfterMs;
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', end);
    connection.abort();
  }
  return { received, retryMs };
}

function apiErrorOf(response: Response, error: unknown): ApiError {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError(
    response.status,
    (error ?? {}) as Partial<Problem>,
    Number.isNaN(seconds) ? null : seconds * 1000,
  );
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
    const unsubscribe = sessionStore.subscribe(done);
    window.addEventListener('online', done);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
