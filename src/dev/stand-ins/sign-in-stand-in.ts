import { createHash, randomBytes } from 'node:crypto';
import Handlebars from 'handlebars';
import type { Caller } from '../../people/caller.ts';
import { jsonAnswer, type LoopbackAnswer, type LoopbackRequest, serveLoopback } from './loopback-http.ts';

type PendingCode = { person: SignInPerson; challenge: string; nonce: string | null; until: number };

const CODE_MS = 60_000;
const TOKEN_SECONDS = 86_400;
const OPEN_TO_ALL = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };

type Sign = (caller: SignInPerson['caller']) => Promise<string>;

/**
 * Starts an OpenID provider without passwords on 127.0.0.1: people choose who they are. Authorization code flow with PKCE
 * (RFC 7636), and refresh tokens that work once.
 */
export async function startSignInStandIn() {
  const codes = new Map<string, PendingCode>();
  const refreshTokens = new Map<string, SignInPerson>();
  let people: readonly SignInPerson[] = [];
  let sign: Sign | null = null;

  const server = await serveLoopback((request) => {
    const { method, path, query } = request;
    if (method === 'OPTIONS') return { status: 204, headers: OPEN_TO_ALL };
    if (path === '/.well-known/openid-configuration') return json(200, discovery(server.url));
    if (path === '/jwks') return json(200, { keys: [] });
    if (path === '/authorize') return authorize(query);
    if (path === '/token' && method === 'POST') return exchange(request);
    if (path === '/end')
      return { status: 302, headers: { location: loopbackOnly(query.get('post_logout_redirect_uri')).href } };
    return json(404, { error: 'not_found' });
  });

  function authorize(query: URLSearchParams): LoopbackAnswer {
    const back = loopbackOnly(query.get('redirect_uri'));
    const person = people[Number(query.get('person') ?? Number.NaN)];
    if (!person) return page(people, query);
    const code = randomBytes(24).toString('base64url');
    const challenge = query.get('code_challenge') ?? '';
    codes.set(code, { person, challenge, nonce: query.get('nonce'), until: Date.now() + CODE_MS });
    back.searchParams.set('code', code);
    back.searchParams.set('state', query.get('state') ?? '');
    return { status: 302, headers: { location: back.href } };
  }

  async function exchange({ body }: LoopbackRequest): Promise<LoopbackAnswer> {
    const form = new URLSearchParams(body.toString('utf8'));
    const refreshToken = form.get('refresh_token');
    if (refreshToken !== null) {
      const person = refreshTokens.get(refreshToken);
      refreshTokens.delete(refreshToken);
      return person ? grant(person, null) : json(400, { error: 'invalid_grant' });
    }
    const code = form.get('code') ?? '';
    const pending = codes.get(code);
    codes.delete(code);
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!pending || pending.until < Date.now() || proof !== pending.challenge)
      return json(400, { error: 'invalid_grant' });
    return grant(pending.person, pending.nonce);
  }

  async function grant(person: SignInPerson, nonce: string | null): Promise<LoopbackAnswer> {
    const { caller, name } = person;
    const claims = { iss: server.url, aud: CLIENT_ID, sub: caller.user_id, name, nonce: nonce ?? undefined };
    const refresh_token = randomBytes(24).toString('base64url');
    refreshTokens.set(refresh_token, person);
    return json(200, {
      access_token: await sign?.(caller),
      refresh_token,
      token_type: 'Bearer',
      expires_in: TOKEN_SECONDS,
      scope: 'openid',
      id_token: unsigned(claims),
    });
  }

  return {
    url: server.url,
    clientId: CLIENT_ID,
    /** Offers these people from now on, with tokens made by `signer`. */
    open(offered: readonly SignInPerson[], signer: Sign) {
      people = offered;
      sign = signer;
    },
    stop: server.stop,
  };
}

const CLIENT_ID = 'schoolbell-web';

const discovery = (url: string) => ({
  issuer: url,
  authorization_endpoint: `${url}/authorize`,
  token_endpoint: `${url}/token`,
  jwks_uri: `${url}/jwks`,
  end_session_endpoint: `${url}/end`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['none'],
});

/** The client fetches the token from this server directly, so the signature is not needed. */
function unsigned(claims: Record<string, unknown>): string {
  const seconds = Math.floor(Date.now() / 1000);
  const times = { iat: seconds, exp: seconds + TOKEN_SECONDS };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', typ: 'JWT' })}.${part({ ...claims, ...times })}.`;
}

/** @throws Error when the address is not on this machine */
function loopbackOnly(address: string | null): URL {
  const url = new URL(address ?? '');
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)) throw new Error('only for clients on this machine');
  return url;
}

const json = (status: number, body: object): LoopbackAnswer =>
  jsonAnswer(status, body, { ...OPEN_TO_ALL, 'cache-control': 'no-store' });

function page(people: readonly SignInPerson[], query: URLSearchParams): LoopbackAnswer {
  const choices = people.map(({ name, role }, person) => ({
    name,
    role,
    query: String(new URLSearchParams([...query, ['person', String(person)]])),
  }));
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'cache-control': 'no-store',
    },
    body: PAGE({ choices }),
  };
}

const PAGE =
  Handlebars.compile(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Who are you today?</title><style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;margin:0;display:grid;min-height:100vh;place-items:center;background:light-dark(#f4f5f9,#12141c)}
main{max-width:26rem;padding:2rem;margin:1rem;border-radius:1rem;background:light-dark(#fff,#1b1e29)}h1{margin:0 0 .25rem;font-size:1.5rem}
p{margin:0 0 1.25rem;color:light-dark(#4b5063,#b3b8cc)}ul{list-style:none;margin:0;padding:0;display:grid;gap:.6rem}
a{display:flex;justify-content:space-between;gap:1rem;padding:.8rem 1rem;border:1px solid light-dark(#d5d8e4,#363b4e);border-radius:.7rem;color:inherit;text-decoration:none}
a:hover,a:focus-visible{border-color:light-dark(#3b4bc8,#9aa6ff)}span{color:light-dark(#4b5063,#b3b8cc)}</style>
<main><h1>Who are you today?</h1><p>This machine’s stand-in for the school’s sign-in. There is no password.</p>
<ul>{{#each choices}}<li><a href="/authorize?{{query}}"><b>{{role}}</b><span>{{name}}</span></a></li>{{/each}}</ul></main></html>`);

/** A person that the sign-in page offers, with the claims of their token. */
export type SignInPerson = {
  name: string;
  /** shown beside the name */
  role: string;
  caller: Pick<Caller, 'user_id' | 'tenant_id' | 'school_id'> & Partial<Caller>;
};
