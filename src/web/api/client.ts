import createClient from 'openapi-fetch';
import { currentToken, expireSession } from '../session/session.ts';
import { viewedAs } from '../session/viewing.ts';
import { language } from '../texts/texts.ts';
import { reportNoAnswer } from './connection.ts';
import { takePrefetched } from './prefetch.ts';
import { ApiError } from './problem.ts';
import { updateServerClock } from './server-clock.ts';
import type { Problem, paths } from './types.ts';

/** API client, typed by the OpenAPI document. */
export const api = createClient<paths>({ baseUrl: window.location.origin, fetch: sendRequest });

/** For so long, a change whose answer was lost counts as tried again rather than as another one. */
const SAME_CHANGE_MS = 5 * 60_000;
/** Idempotency keys of the changes that the server may have made without an answer, or has yet to make, by their content. */
const openKeys = new Map<string, string>();

async function sendRequest(request: Request): Promise<Response> {
  const { token } = currentToken() ?? {};
  if (token) request.headers.set('authorization', `Bearer ${token}`);
  request.headers.set('accept-language', language());
  // Also on changes, so that the server refuses them instead of making them in the name of the member of staff.
  const view = viewedAs();
  if (view) request.headers.set('x-view-as', view);
  const change = isChange(request) ? await contentOf(request) : '';
  // If the browser, a form or the user repeats a request, the server returns the first response.
  const key = openKeys.get(change) ?? crypto.randomUUID();
  if (change) request.headers.set('idempotency-key', key);
  const prefetched = takePrefetched(request, token);
  const sentAt = prefetched?.sentAt ?? Date.now();
  const response = await (prefetched?.response ?? fetch(request)).catch(() => {
    if (!request.signal.aborted) {
      keepKey(change, key);
      reportNoAnswer();
    }
    throw new ApiError(0, {});
  });
  updateServerClock(response.headers.get('date'), sentAt, prefetched?.receivedAt || Date.now());
  if (response.status === 401 && token) expireSession(token);
  if (isPassing(response.status)) keepKey(change, key);
  else openKeys.delete(change);
  return response;
}

/** A PUT states a whole, so it may be repeated without a key. */
const isChange = ({ method }: Request): boolean => method !== 'GET' && method !== 'PUT';

const contentOf = async (request: Request): Promise<string> =>
  [request.method, request.url, request.headers.get('if-match'), await request.clone().text()].join(' ');

/** The server keeps every other response under the key of the request, and would repeat a refusal. */
const isPassing = (status: number): boolean => status === 409 || status === 429 || status >= 500;

function keepKey(change: string, key: string): void {
  openKeys.set(change, key);
  setTimeout(() => openKeys.delete(change), SAME_CHANGE_MS);
}

type Result<T> = { data?: T; error?: unknown; response: Response };

/** Resolves to the body of a response. @throws ApiError */
export async function unwrap<T>(request: Promise<Result<T>>): Promise<T> {
  const { data, error, response } = await request;
  if (!response.ok) throw new ApiError(response.status, (error ?? {}) as Partial<Problem>);
  return data as T;
}
