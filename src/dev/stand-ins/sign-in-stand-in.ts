import { createHash, randomBytes } from 'node:crypto';
import Handlebars from 'handlebars';
import type { Caller } from '../../people/caller.ts';
import { LOOPBACK, loopbackServer } from './loopback-http.ts';

type PendingCode = { person: SignInPerson; challenge: string; nonce: string | undefined; until: number };

const CODE_MS = 60_000;
const TOKEN_SECONDS = 86_400;
const HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'cache-control': 'no-store',
};

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

  const app = loopbackServer();
  app.addHook('onRequest', async (_request, reply) => void reply.headers(HEADERS));
  app.options('*', async (_request, reply) => reply.code(204).send());
  app.get('/.well-known/openid-configuration', async () => discovery(url));
  app.get('/jwks', async () => ({ keys: [] }));
  app.get<{ Querystring: Record<string, string> }>('/authorize', async ({ query }, reply) => {
    const back = loopbackOnly(query.redirect_uri);
    const person = people[Number(query.person ?? Number.NaN)];
    if (!person) return reply.headers(PAGE_HEADERS).send(PAGE({ choices: choicesOf(people, query) }));
    const code = randomBytes(24).toString('base64url');
    const { code_challenge: challenge = '', nonce, state = '' } = query;
    codes.set(code, { person, challenge, nonce, until: Date.now() + CODE_MS });
    back.searchParams.set('code', code);
    back.searchParams.set('state', state);
    return reply.redirect(back.href);
  });
  app.post('/token', async ({ body }, reply) => {
    const form = Object.fromEntries(new URLSearchParams(String(body)));
    const granted = takeGrant(form);
    if (!granted) return reply.code(400).send({ error: 'invalid_grant' });
    const { person, nonce } = granted;
    const claims = { iss: url, aud: CLIENT_ID, sub: person.caller.user_id, name: person.name, nonce };
    const refresh_token = randomBytes(24).toString('base64url');
    refreshTokens.set(refresh_token, person);
    return {
      access_token: await sign?.(person.caller),
      refresh_token,
      token_type: 'Bearer',
      expires_in: TOKEN_SECONDS,
      scope: 'openid',
      id_token: unsigned(claims),
    };
  });
  app.get<{ Querystring: Record<string, string> }>('/end', async ({ query }, reply) =>
    reply.redirect(loopbackOnly(query.post_logout_redirect_uri).href),
  );
  const url = await app.listen(LOOPBACK);

  /** The person of a code or a refresh token, each of which works once. */
  function takeGrant({ refresh_token, code = '', code_verifier = '' }: Record<string, string>) {
    if (refresh_token !== undefined) {
      const person = refreshTokens.get(refresh_token);
      refreshTokens.delete(refresh_token);
      return person && { person, nonce: undefined };
    }
    const pending = codes.get(code);
    codes.delete(code);
    const proof = createHash('sha256').update(code_verifier).digest('base64url');
    return pending && pending.until >= Date.now() && proof === pending.challenge ? pending : undefined;
  }

  return {
    url,
    clientId: CLIENT_ID,
    /** Offers these people from now on, with tokens made by `signer`. */
    open(offered: readonly SignInPerson[], signer: Sign) {
      people = offered;
      sign = signer;
    },
    stop: () => app.close(),
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
function loopbackOnly(address = ''): URL {
  const url = new URL(address);
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)) throw new Error('only for clients on this machine');
  return url;
}

const choicesOf = (people: readonly SignInPerson[], query: Record<string, string>) =>
  people.map(({ name, role }, at) => ({
    name,
    role,
    query: String(new URLSearchParams({ ...query, person: String(at) })),
  }));

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};

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
