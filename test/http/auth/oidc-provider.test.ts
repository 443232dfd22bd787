import { InMemoryWebStorage, OidcClient, type SigninResponse, WebStorageStateStore } from 'oidc-client-ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenVerifier } from '../../../src/http/auth/authenticate.ts';
import { parseClaimMapping } from '../../../src/http/auth/claim-mapping.ts';
import { tokenEndpoint } from '../../../src/outbound/token-endpoint.ts';
import { E, serveAnew } from '../../support/http/http-app.ts';
import { AUDIENCE, BACK, openBrowser, SIGNED_OUT, startProvider } from './real-provider.ts';

const LOGIN = { login: 'eva', password: 'any' };

describe('sign-in at a real OpenID provider', () => {
  let provider: Awaited<ReturnType<typeof startProvider>>;
  beforeAll(async () => {
    provider = await startProvider();
  });
  afterAll(() => provider.stop());

  /** The library of our browser client. */
  const openClient = (client_id: string, token_endpoint?: string) =>
    new OidcClient({
      authority: provider.issuer,
      client_id,
      redirect_uri: BACK,
      post_logout_redirect_uri: SIGNED_OUT,
      scope: 'openid email',
      stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
      ...(token_endpoint ? { metadataSeed: { token_endpoint } } : {}),
    });
  const signIn = async (client: OidcClient, visit = openBrowser()): Promise<SigninResponse> => {
    const { url } = await client.createSigninRequest({});
    return client.processSigninResponse(await visit(url, LOGIN));
  };

  const CLAIMS = {
    tenant_id: { value: 'lipova' },
    school_id: { path: 'school' },
    roles: { path: 'realm_access.roles', map: { teacher: 'staff' } },
    role_permissions: { staff: 'events.view' },
  };
  const serveFor = (audience = AUDIENCE, claims: object = CLAIMS) =>
    serveAnew({
      verifyToken: tokenVerifier({
        jwksUrl: provider.jwksUrl,
        issuer: provider.issuer,
        audience,
        claims: parseClaimMapping(JSON.stringify(claims)),
      }),
    });
  const withToken = (token = '') => ({ headers: { authorization: `Bearer ${token}` } });

  it('gives a token by code flow with PKCE whose claims the mapping reads', async () => {
    const { access_token } = await signIn(openClient('public'));
    const { ask } = await serveFor();
    expect(await ask(null, 'GET', '/api/v1/me', withToken(access_token))).toMatchObject({
      status: 200,
      body: { user_id: 'eva', roles: ['staff'] },
    });
    expect((await ask(null, 'GET', E, withToken(access_token))).status).toBe(200);
    expect((await ask(null, 'POST', E, { ...withToken(access_token), payload: {} })).status).toBe(403);
  });

  it('renews the token, with a refresh token that works once', async () => {
    const client = openClient('public');
    const first = await signIn(client);
    const state = { ...first, refresh_token: first.refresh_token ?? '', id_token: first.id_token ?? '' };
    const renew = () => client.useRefreshToken({ state: { ...state, data: {} } as never });
    const { access_token } = await renew();
    expect(access_token).not.toBe(first.access_token);
    const { ask } = await serveFor();
    expect((await ask(null, 'GET', '/api/v1/me', withToken(access_token))).status).toBe(200);
    await expect(renew()).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('ends the session at the provider on sign-out, and its refresh token', async () => {
    const client = openClient('public');
    const visit = openBrowser();
    const first = await signIn(client, visit);
    const silently = async () => {
      const { url } = await client.createSigninRequest({ prompt: 'none' });
      return new URL(await visit(url, {})).searchParams.get('error');
    };
    expect(await silently()).toBeNull();
    const { url } = await client.createSignoutRequest({ id_token_hint: first.id_token ?? '' });
    expect(await visit(url, { logout: 'yes' })).toMatch(/^https:\/\/school\.test\/sign-in(\?|$)/);
    expect(await silently()).toBe('login_required');
    await expect(client.useRefreshToken({ state: { ...first, data: {} } as never })).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('names what a token of the provider lacks', async () => {
    const { access_token, id_token } = await signIn(openClient('public'));
    const answer = async (token: string | undefined, audience?: string, claims?: object) =>
      (await (await serveFor(audience, claims)).ask(null, 'GET', '/api/v1/me', withToken(token))).body;
    const unauthenticated = { code: 'unauthenticated', status: 401 };
    expect(await answer(access_token, AUDIENCE, { ...CLAIMS, school_id: { path: 'org.school' } })).toMatchObject({
      ...unauthenticated,
      reason: 'missing_claim',
      claim: 'org.school',
    });
    expect(await answer(id_token)).toMatchObject({ ...unauthenticated, reason: 'wrong_token', claim: 'aud' });
    expect(await answer('opaque')).toMatchObject({ ...unauthenticated, reason: 'unreadable_token' });
  });

  it('exchanges the code of a client with a secret through the API, and never shows the secret', async () => {
    const settings = { issuer: provider.issuer, clientId: 'confidential', clientSecret: 'a-secret-of-the-client' };
    const { app, ask } = await serveAnew({
      signIn: {
        issuer: provider.issuer,
        clientId: 'confidential',
        scope: 'openid email',
        params: 'prompt=login&hd=lipova.example',
        token: 'id_token',
        exchange: tokenEndpoint(settings),
      },
    });
    const config = await ask(null, 'GET', '/client-config');
    expect(config.body).toEqual({
      sign_in: {
        issuer: provider.issuer,
        client_id: 'confidential',
        scope: 'openid email',
        params: { prompt: 'login', hd: 'lipova.example' },
        token: 'id_token',
        token_path: '/sign-in/token',
      },
    });
    const base = await app.listen({ port: 0, host: '127.0.0.1' });
    const { id_token } = await signIn(openClient('confidential', `${base}/sign-in/token`));
    await app.close();
    await expect(signIn(openClient('confidential'))).rejects.toMatchObject({ error: 'invalid_client' });

    const dana = { user_id: 'dana', school_id: 'lipova', roles: ['parent' as const], class_ids: [] };
    const found = { ...dana, grade_level_ids: [], department_ids: [] };
    const mapping = '{"tenant_id": {"value": "lipova"}, "email": {"path": "email"}}';
    const verify = tokenVerifier(
      {
        jwksUrl: provider.jwksUrl,
        issuer: provider.issuer,
        audience: 'confidential',
        claims: parseClaimMapping(mapping),
      },
      { findPeople: async ({ address }) => (address === 'eva@lipova.example' ? [found] : []) },
    );
    await expect(verify(id_token ?? '')).resolves.toMatchObject({
      user_id: 'dana',
      tenant_id: 'lipova',
      roles: ['parent'],
    });
  });
});
