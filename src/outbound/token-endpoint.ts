import { fetch, type RequestInit } from 'undici';
import { Refused } from '../core/errors.ts';

const WITHIN_MS = 10_000;

/**
 * Exchanges codes and refresh tokens at an OpenID provider, with the secret of the client.
 * @returns the provider's answer as it is; throws Refused `busy` if the provider does not answer
 */
export function tokenEndpoint(client: { issuer: string; clientId: string; clientSecret: string }) {
  let endpoint: string | undefined;
  return async (fields: URLSearchParams): Promise<{ status: number; body: string }> => {
    endpoint ??= await findEndpoint(client.issuer);
    const body = new URLSearchParams(fields);
    body.set('client_id', client.clientId);
    body.set('client_secret', client.clientSecret);
    const answer = await ask(endpoint, { method: 'POST', body });
    return { status: answer.status, body: await answer.text() };
  };
}

async function findEndpoint(issuer: string): Promise<string> {
  const answer = await ask(`${issuer}/.well-known/openid-configuration`);
  return ((await answer.json()) as { token_endpoint: string }).token_endpoint;
}

async function ask(url: string, init: RequestInit = {}) {
  const signal = AbortSignal.timeout(WITHIN_MS);
  const answer = await fetch(url, { ...init, redirect: 'error', signal }).catch(() => null);
  if (answer && answer.status < 500) return answer;
  throw new Refused({ code: 'busy', detail: 'The sign-in service does not answer. Try again.', retryAfter: 5 });
}
