import { api } from '../api/client.ts';
import { Refusal } from '../api/problem.ts';
import type { Problem } from '../api/types.ts';
import { currentToken, endSession } from '../session/session.ts';
import { frameReader } from './frames.ts';
import type { News, Told } from './news.ts';

/** The server says something at least every 20 seconds; a connection that is silent for longer is dead. */
const SILENCE_MS = 50_000;
const RETRY_MS = 2_000;
const RETRY_MAX_MS = 60_000;

type Options = { events: boolean; lastId: () => string | null; on: (told: Told) => void; signal: AbortSignal };

/**
 * Keeps one connection open until `signal` says otherwise: comes back after every end with the last id, soon after an
 * orderly one, ever later after failures, at once when the network is back. Never throws.
 */
export async function keepListening(options: Options): Promise<void> {
  const { signal } = options;
  let failures = 0;
  while (!signal.aborted && currentToken()) {
    const { heard, retryMs } = await listenOnce(options);
    failures = heard ? 0 : failures + 1;
    const pause = Math.min(retryMs * 2 ** Math.min(failures, 5), Math.max(RETRY_MAX_MS, retryMs));
    await waitFor(pause, signal);
  }
}

async function listenOnce({ events, lastId, on, signal }: Options): Promise<{ heard: boolean; retryMs: number }> {
  const connection = new AbortController();
  const end = () => connection.abort();
  signal.addEventListener('abort', end);
  const { token } = currentToken() ?? {};
  let retryMs = RETRY_MS;
  let heard = false;
  let silence = setTimeout(end, SILENCE_MS);
  try {
    const last = lastId();
    const { data, error, response } = await api.GET('/api/v1/me/inbox/stream', {
      params: { query: events ? { events } : {}, header: last === null ? {} : { 'last-event-id': last } },
      parseAs: 'stream',
      cache: 'no-store',
      signal: connection.signal,
    });
    if (!response.ok || !data) throw refusalOf(response, error);
    const frames = frameReader((ms) => {
      retryMs = ms;
    });
    const reader = (data as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream() as never).getReader();
    for (;;) {
      const { done, value } = (await reader.read()) as ReadableStreamReadResult<string>;
      if (done) break;
      clearTimeout(silence);
      silence = setTimeout(end, SILENCE_MS);
      for (const { event, data: text, id } of frames(value)) {
        heard = true;
        const news = { event, data: JSON.parse(text) } as News;
        if (news.event === 'end' && news.data.why === 'token') endSession(token);
        on({ ...news, id });
      }
    }
  } catch (error) {
    if (error instanceof Refusal && error.retryAfterMs !== null) retryMs = error.retryAfterMs;
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', end);
    connection.abort();
  }
  return { heard, retryMs };
}

function refusalOf(response: Response, error: unknown): Refusal {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new Refusal(response.status, (error ?? {}) as Partial<Problem>, Number.isNaN(seconds) ? null : seconds * 1000);
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener('online', done);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
