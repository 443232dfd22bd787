import createClient from 'openapi-fetch';
import { currentToken, endSession } from '../session/session.ts';
import { language } from '../texts/texts.ts';
import { takeEarly } from './early.ts';
import { Refusal } from './problem.ts';
import { hearServerTime } from './server-clock.ts';
import type { Problem, paths } from './types.ts';

/** The API by its own document: paths, parameters and answers are typed from it. */
export const api = createClient<paths>({ baseUrl: window.location.origin, fetch: ask });

async function ask(request: Request): Promise<Response> {
  const { token } = currentToken() ?? {};
  if (token) request.headers.set('authorization', `Bearer ${token}`);
  request.headers.set('accept-language', language());
  // A retry of the network's own finds the first reply.
  if (request.method !== 'GET' && request.method !== 'PUT' && !request.headers.has('idempotency-key'))
    request.headers.set('idempotency-key', crypto.randomUUID());
  const early = takeEarly(request, token);
  const asked = early?.asked ?? Date.now();
  const response = await (early?.answer ?? fetch(request)).catch(() => {
    throw new Refusal(0, {});
  });
  hearServerTime(response.headers.get('date'), asked, early?.heard || Date.now());
  if (response.status === 401 && token) endSession(token);
  return response;
}

type Answered<T> = { data?: T; error?: unknown; response: Response };

/** The body of an answer. @throws Refusal */
export async function bodyOf<T>(asked: Promise<Answered<T>>): Promise<T> {
  const { data, error, response } = await asked;
  if (!response.ok) throw new Refusal(response.status, (error ?? {}) as Partial<Problem>);
  return data as T;
}
