import type { Dispatcher } from 'undici';

type HttpHeaders = Record<string, string | string[] | undefined>;

export type HttpResult =
  /** a status was read; the body may be incomplete if the connection ended early or the body exceeded the limit */
  | { answered: true; status: number; headers: HttpHeaders; body: string }
  /** no answer; `written`: part of the request may have been sent, so the other side may have acted on it */
  | { answered: false; written: boolean; code: string };

const BODY_LIMIT = 1024 * 1024;

/**
 * Sends one request over an undici dispatcher without following redirects. Resolves within `timeoutMs` and never rejects.
 * Uses `dispatch` because only its handler learns when the request is written to the connection.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  timeoutMs: number,
): Promise<HttpResult> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | null = null;
    let answer: { status: number; headers: HttpHeaders } | null = null;
    let settled = false;
    let size = 0;
    const chunks: Buffer[] = [];

    const settle = (code: string) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      resolve(
        answer
          ? { answered: true, ...answer, body: Buffer.concat(chunks).toString('utf8') }
          : { answered: false, written: controller !== null, code },
      );
    };
    const cutOff = (code: string) => {
      settle(code);
      controller?.abort(new Error(code));
    };
    const timer = setTimeout(() => cutOff('ETIMEDOUT'), timeoutMs);

    try {
      dispatcher.dispatch(
        { ...request, headersTimeout: 0, bodyTimeout: 0 },
        {
          onRequestStart(started) {
            // the timeout passed while the request waited for a connection
            if (settled) started.abort(new Error('ETIMEDOUT'));
            else controller = started;
          },
          onResponseStart(_controller, status, headers) {
            if (status >= 200) answer = { status, headers };
          },
          onResponseData(_controller, chunk) {
            size += chunk.length;
            if (size > BODY_LIMIT) cutOff('ETOOLARGE');
            else chunks.push(chunk);
          },
          onResponseEnd: () => settle('ended'),
          onResponseError: (_controller, error) => settle(codeOf(error)),
        },
      );
    } catch (error) {
      settle(codeOf(error));
    }
  });
}

/** The system's or undici's error code; never a text, which could contain an address. */
function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code) ? code : 'EUNKNOWN';
}

/** A longer Retry-After is cut to one day. */
const MAX_MS = 24 * 60 * 60 * 1000;

/** Retry-After (RFC 9110 §10.2.3), seconds or a date, in milliseconds; undefined if absent or invalid. */
export function retryAfterMs(header: string | string[] | undefined, now: Date): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!text) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_MS);
}
