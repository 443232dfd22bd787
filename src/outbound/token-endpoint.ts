import { fetch, type RequestInit } from 'undici';
import { busy } from '../core/errors.ts';

const WITHIN_MS = 10_000;

type TokenResponse = { status: number; body: string };

/**
 * Exchanges codes and refresh tokens at an OpenID provider, with the secret of the client.
 * @returns the provider's response as it is; throws Refused `busy` if the provider does not answer, or names no token endpoint
 */
export function tokenEndpoint(client: { issuer: string; clientId: string; clientSecret: string }) {
  let endpoint: string | undefined;
  return async (fields: URLSearchParams): Promise<TokenResponse> => {
    endpoint ??= await findEndpoint(client.issuer);
    const body = new URLSearchParams(fields);
    body.set('client_id', client.clientId);
    body.set('client_secret', client.clientSecret);
    return ask(endpoint, { method: 'POST', body });
  };
}

async function findEndpoint(issuer: string): Promise<string> {
  const { body } = await ask(`${issuer}/.well-known/openid-configuration`);
  try {
    return new URL(JSON.parse(body).token_endpoint).href;
  } catch {
    throw busy('The sign-in service does not say where to get tokens. Ask an administrator to check OIDC_ISSUER.', 5);
  }
}

async function ask(url: string, init: RequestInit = {}): Promise<TokenResponse> {
  const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(WITHIN_MS) })
    .then(async (one) => ({ status: one.status, body: await one.text() }))
    .catch(() => null);
  if (response && response.status < 500) return response;
  throw busy('The sign-in service does not answer. Try again.', 5);
}
