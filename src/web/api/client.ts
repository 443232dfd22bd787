import createClient from 'openapi-fetch';
import { currentSession, expireSession } from '../session/session.ts';
import { viewedAs } from '../session/stored.ts';
import { language } from '../texts/texts.ts';
import { fromServer, reportNoResponse } from './connection.ts';
import { takePrefetched } from './prefetch.ts';
import { ApiError } from './problem.ts';
import { setRequestKey } from './request-key.ts';
import { updateServerClock } from './server-clock.ts';
import type { paths } from './types.ts';

/** API client, typed by the OpenAPI document. */
export const api = createClient<paths>({ baseUrl: window.location.origin, fetch: sendRequest });

async function sendRequest(request: Request): Promise<Response> {
  const { token } = currentSession() ?? {};
  if (token) request.headers.set('authorization', `Bearer ${token}`);
  // After the sign-out the page stays until the next one has loaded.
  else if (!isForEveryone(request)) throw new ApiError(401, { code: 'unauthenticated' });
  request.headers.set('accept-language', language());
  // Also on changes, so that the server refuses them instead of making them in the name of the member of staff.
  const view = viewedAs();
  if (view) request.headers.set('x-view-as', view);
  const settle = await setRequestKey(request);
  const prefetched = takePrefetched(request, token);
  const sentAt = prefetched?.sentAt ?? Date.now();
  const response = await (prefetched?.response ?? fetch(request)).then(fromServer).catch(() => {
    if (!request.signal.aborted) {
      settle(0);
      reportNoResponse();
    }
    throw new ApiError(0, {});
  });
  updateServerClock(response.headers.get('date'), sentAt, prefetched?.receivedAt || Date.now());
  if (response.status === 401 && token) expireSession(token);
  settle(response.status);
  return response;
}

const isForEveryone = ({ url }: Request): boolean => /^\/(client-config|api\/v1\/public\/)/.test(new URL(url).pathname);

type Result<T> = { data?: T; error?: unknown; response: Response };

/** Resolves to the body of a response. @throws ApiError */
export async function unwrap<T>(request: Promise<Result<T>>): Promise<T> {
  const { data, error, response } = await request;
  if (!response.ok) throw new ApiError(response.status, error ?? {});
  return data as T;
}
