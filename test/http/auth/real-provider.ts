import { createServer } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import { listen } from '../../support/listen.ts';

export const BACK = 'https://school.test/sign-in/back';
export const SIGNED_OUT = 'https://school.test/sign-in';
export const AUDIENCE = 'schoolbell';
const API = 'urn:schoolbell';

/**
 * A real OpenID provider (oidc-provider) with a public client, a client with a secret and its own login pages. Access tokens
 * are JWTs with claims as Keycloak has them.
 */
export async function startProvider() {
  const server = createServer();
  const issuer = `http://127.0.0.1:${await listen(server)}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const client = {
    redirect_uris: [BACK],
    post_logout_redirect_uris: [SIGNED_OUT],
    grant_types: ['authorization_code', 'refresh_token'],
  };
  const provider = new Provider(issuer, {
    clients: [
      { ...client, client_id: 'public', token_endpoint_auth_method: 'none' },
      {
        ...client,
        client_id: 'confidential',
        client_secret: 'a-secret-of-the-client',
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'one', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['key of the cookies'] },
    pkce: { required: () => true },
    claims: { email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    findAccount: async (_context, accountId) => ({
      accountId,
      claims: async () => ({ sub: accountId, email: `${accountId}@lipova.example`, email_verified: true }),
    }),
    extraTokenClaims: async () => ({ school: 'lipova', realm_access: { roles: ['teacher'] } }),
    features: {
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => API,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: '',
          audience: AUDIENCE,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  });
  server.on('request', provider.callback());
  return { issuer, jwksUrl: `${issuer}/jwks`, stop: () => void server.close() };
}

/** A browser without pages: keeps cookies, follows redirects and sends every form, until it would leave the provider. */
export function openBrowser() {
  const cookies = new Map<string, string>();
  const ask = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value) cookies.set(name, value);
      else cookies.delete(name);
    }
    return answer;
  };
  /** @returns the address at which the browser leaves the provider */
  return async function visit(address: string, fields: Record<string, string>): Promise<string> {
    const { origin } = new URL(address);
    let url = address;
    let answer = await ask(url);
    for (let step = 0; step < 20; step += 1) {
      const location = answer.headers.get('location');
      if (location) {
        url = new URL(location, url).href;
        if (new URL(url).origin !== origin) return url;
        answer = await ask(url);
        continue;
      }
      const page = await answer.text();
      const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
      if (!action) throw new Error(`${url} is a page without a form: ${page.slice(0, 200)}`);
      const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
      const body = new URLSearchParams({
        ...fields,
        ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])),
      });
      url = new URL(action, url).href;
      answer = await ask(url, { method: 'POST', body });
    }
    throw new Error(`${url} leads nowhere`);
  };
}
