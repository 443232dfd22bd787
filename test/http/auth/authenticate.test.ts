import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Refused } from '../../../src/core/errors.ts';
import { tokenVerifier } from '../../../src/http/auth/authenticate.ts';
import { signToken } from '../../../src/http/auth/token.ts';
import { E, provideHttp, TOKENS } from '../../support/http/http-app.ts';
import { listen } from '../../support/listen.ts';

const { ask } = await provideHttp();

const CLAIMS = { tenant_id: 't1', school_id: 's1', permissions: ['events.view'] };
const { secret, issuer, audience } = TOKENS;
const bytes = (text: string) => new TextEncoder().encode(text);

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
const payload = (change: object = {}) => ({
  ...CLAIMS,
  sub: 'eva',
  iss: issuer,
  aud: audience,
  exp: inSeconds(3_600),
  ...change,
});

/** @param change claims in place of those of a valid token; undefined takes one away */
const hs256 = (change: object = {}, key = secret, alg = 'HS256') =>
  new SignJWT(payload(change)).setProtectedHeader({ alg }).sign(bytes(key));

describe('an invalid token', () => {
  const CASES: [string, () => Promise<string> | string][] = [
    ['algorithm none', () => new UnsecuredJWT(payload()).encode()],
    ['signed with another secret', () => hs256({}, 'another secret of thirty-two bytes!!')],
    ['HS512 with the right secret', () => hs256({}, secret, 'HS512')],
    ['expired', () => hs256({ exp: inSeconds(-1) })],
    ['not valid yet', () => hs256({ nbf: inSeconds(10) })],
    ['another issuer', () => hs256({ iss: 'https://evil.test' })],
    ['another audience', () => hs256({ aud: 'other' })],
    ['without exp', () => hs256({ exp: undefined })],
    ['without aud', () => hs256({ aud: undefined })],
    ['without iss', () => hs256({ iss: undefined })],
    ['without sub', () => hs256({ sub: undefined })],
    ['without a tenant', () => hs256({ tenant_id: undefined })],
    ['an empty school', () => hs256({ school_id: '' })],
    ['a tenant that is an object', () => hs256({ tenant_id: { $ne: null } })],
    ['permissions as one text', () => hs256({ permissions: 'events.view' })],
    ['permissions of another shape', () => hs256({ permissions: [{ $gt: '' }] })],
    [
      'a changed claim',
      async () => (await hs256()).replace(/\.[^.]+\./, `.${Buffer.from('{"sub":"x"}').toString('base64url')}.`),
    ],
    ['not a token', () => 'abc'],
  ];

  it.each(CASES)('answers 401: %s', async (_name, make) => {
    const headers = { authorization: `Bearer ${await make()}` };
    const answer = await ask(null, 'GET', `${E}/x`, { headers });
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated', status: 401 } });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.headers['content-type']).toBe('application/problem+json');
  });

  it.each([
    ['no header', {}],
    ['another scheme', { authorization: 'Basic abc' }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['two tokens', { authorization: 'Bearer a b' }],
  ])('%s answers 401 before the body is read', async (_name, headers) => {
    const answer = await ask(null, 'POST', E, { headers: { 'content-type': 'text/plain', ...headers }, payload: 'x' });
    expect(answer.status).toBe(401);
  });
});

describe('the caller of a token', () => {
  const verify = tokenVerifier(TOKENS);

  it('is cached for the exact token until the token expires', async () => {
    const begun = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: begun });
    onTestFinished(() => void vi.useRealTimers());
    const caller = { user_id: 'eva', tenant_id: 't1', school_id: 's1' };
    const token = await signToken({ ...TOKENS, expiresInSeconds: 10 }, caller);
    const first = await verify(token);
    vi.setSystemTime(begun + 8_000);
    expect(await verify(token)).toBe(first);
    vi.setSystemTime(begun + 11_000);
    await expect(verify(token)).rejects.toMatchObject({ refusal: { code: 'unauthenticated' } });
  });

  it('is accepted until it expires by the given clock, whatever the clock of the machine says', async () => {
    const begun = Date.now();
    let now = new Date(begun);
    const verifyAt = tokenVerifier(TOKENS, { clock: { now: () => now } });
    const token = await signToken(
      { ...TOKENS, expiresInSeconds: 600 },
      { user_id: 'eva', tenant_id: 't1', school_id: 's1' },
    );
    vi.useFakeTimers({ toFake: ['Date'], now: begun + 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect((await verifyAt(token)).user_id).toBe('eva');
    now = new Date(begun + 601_000);
    await expect(verifyAt(token)).rejects.toMatchObject({ refusal: { code: 'unauthenticated' } });
  });

  it('is accepted if the clock of the provider is some seconds ahead', async () => {
    const token = await hs256({ nbf: inSeconds(3) });
    expect((await verify(token)).user_id).toBe('eva');
  });

  it('rejects a secret shorter than 32 bytes', () => {
    expect(() => tokenVerifier({ ...TOKENS, secret: 'short' })).toThrow(RangeError);
  });
});

describe('tokens of an identity provider', () => {
  const keys: object[] = [];
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys })),
  );
  let jwksUrl = '';
  const pairs = new Map<string, Awaited<ReturnType<typeof generateKeyPair>>>();

  beforeAll(async () => {
    for (const alg of ['EdDSA', 'ES256', 'RS256', 'PS256']) {
      const pair = await generateKeyPair(alg, { extractable: true });
      pairs.set(alg, pair);
      keys.push({ ...(await exportJWK(pair.publicKey)), kid: alg, ...(alg === 'PS256' ? {} : { alg }) });
    }
    jwksUrl = `http://127.0.0.1:${await listen(server)}/jwks`;
  });
  afterAll(() => void server.close());

  const signed = async (alg: string, kid = alg, key = pairs.get(alg)?.privateKey) => {
    if (!key) throw new Error(alg);
    return new SignJWT(payload()).setProtectedHeader({ alg, kid }).sign(key);
  };
  const codeOf = (verify: (token: string) => Promise<unknown>, token: string) =>
    verify(token).then(
      () => 'ok',
      (error: unknown) => (error instanceof Refused ? error.refusal.code : String(error)),
    );

  it.each(['EdDSA', 'ES256', 'RS256'])('accepts %s', async (alg) => {
    expect(await codeOf(tokenVerifier({ jwksUrl, issuer, audience }), await signed(alg))).toBe('ok');
  });

  it('rejects an algorithm that is not on the list', async () => {
    expect(await codeOf(tokenVerifier({ jwksUrl, issuer, audience }), await signed('PS256'))).toBe('unauthenticated');
  });

  it('rejects HS256 signed with a public key', async () => {
    const jwk = keys.find((key) => (key as { kid: string }).kid === 'RS256') as { n: string };
    const header = { alg: 'HS256', kid: 'RS256' };
    const forged = await new SignJWT(payload()).setProtectedHeader(header).sign(Buffer.from(jwk.n, 'base64url'));
    expect(await codeOf(tokenVerifier({ jwksUrl, issuer, audience }), forged)).toBe('unauthenticated');
  });

  it('rejects an unknown key id', async () => {
    expect(await codeOf(tokenVerifier({ jwksUrl, issuer, audience }), await signed('ES256', 'foreign'))).toBe(
      'unauthenticated',
    );
  });

  it('takes a new key of the provider immediately, and no longer one that was withdrawn', async () => {
    const begun = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: begun });
    onTestFinished(() => void vi.useRealTimers());
    const verify = tokenVerifier({ jwksUrl, issuer, audience });
    expect(await codeOf(verify, await signed('ES256'))).toBe('ok');
    const before = keys.splice(0);
    onTestFinished(() => void keys.splice(0, keys.length, ...before));
    const pair = await generateKeyPair('ES256', { extractable: true });
    keys.push({ ...(await exportJWK(pair.publicKey)), kid: 'next', alg: 'ES256' });
    vi.setSystemTime(begun + 11_000);
    expect(await codeOf(verify, await signed('ES256', 'next', pair.privateKey))).toBe('ok');
    expect(await codeOf(verify, await signed('ES256'))).toBe('unauthenticated');
  });

  it('reports why it refuses a token of the provider, without the token', async () => {
    const onRefused = vi.fn();
    const verify = tokenVerifier({ jwksUrl, issuer, audience: 'another' }, { onRefused });
    const token = await signed('ES256');
    expect(await codeOf(verify, token)).toBe('unauthenticated');
    expect(onRefused).toHaveBeenCalledWith(expect.objectContaining({ extra: { reason: 'wrong_token', claim: 'aud' } }));
    expect(JSON.stringify(onRefused.mock.calls)).not.toContain(token.split('.')[2]);
  });

  it.each(['exp', 'iss', 'aud', 'sub'])('says that a token of the provider has no claim %s', async (claim) => {
    const headers = { authorization: `Bearer ${await hs256({ [claim]: undefined })}` };
    expect((await ask(null, 'GET', E, { headers })).body).toMatchObject({ reason: 'missing_claim', claim });
  });

  it('answers 503 if the keys cannot be fetched', async () => {
    const verify = tokenVerifier({ jwksUrl: 'http://127.0.0.1:9/jwks', issuer, audience });
    expect(await codeOf(verify, await signed('ES256'))).toBe('busy');
  });
});
