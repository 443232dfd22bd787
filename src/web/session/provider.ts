import { UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { api, unwrap } from '../api/client.ts';
import { ApiError } from '../api/problem.ts';
import { meQuery, queryClient } from '../api/queries.ts';
import type { Problem } from '../api/types.ts';
import { beginSession, endSession } from './session.ts';
import { forgetViewing, sessionOf, storedSession, type TokenKind } from './stored.ts';

/** A provider that hangs must not keep anyone signed in. */
const REQUEST_SECONDS = 10;

/** `next`: where to go after the sign-in; null: nowhere, another tab waits for it. */
type Return = { next: string | null };

type Provider = { manager: UserManager; kind: TokenKind };

let loading: Promise<Provider | null> | null = null;

/** Loads the school's identity provider from the server's configuration; null if none is set. */
function loadProvider(): Promise<Provider | null> {
  loading ??= unwrap(api.GET('/client-config')).then(({ sign_in }) => {
    if (!sign_in) return null;
    const { origin } = window.location;
    const manager = new UserManager({
      authority: sign_in.issuer,
      client_id: sign_in.client_id,
      scope: sign_in.scope,
      extraQueryParams: sign_in.params,
      ...(sign_in.token_path ? { metadataSeed: { token_endpoint: `${origin}${sign_in.token_path}` } } : {}),
      requestTimeoutInSeconds: REQUEST_SECONDS,
      redirect_uri: `${origin}/sign-in/back`,
      post_logout_redirect_uri: `${origin}/sign-in`,
      userStore: new WebStorageStateStore({ store: window.localStorage }),
      automaticSilentRenew: false,
    });
    return { manager, kind: sign_in.token };
  });
  loading.catch(() => {
    loading = null;
  });
  return loading;
}

/** Redirects to the identity provider. @returns false if none is set */
export async function signIn(next: string | null): Promise<boolean> {
  const provider = await loadProvider();
  await provider?.manager.signinRedirect({ state: { next } satisfies Return });
  return provider !== null;
}

/** The school’s provider knows the person, but refuses them, or the API refuses their token. */
export class NoAccess extends Error {
  /** why, if the API or the provider says so */
  readonly problem: Partial<Problem>;

  constructor(problem: Partial<Problem> = {}) {
    super(problem.detail);
    this.problem = problem;
  }
}

/**
 * Completes the sign-in after the redirect and stores the token.
 * @returns the path to go to, or null
 * @throws NoAccess
 */
export async function completeSignIn(): Promise<string | null> {
  if (new URLSearchParams(window.location.search).get('error') === 'access_denied') throw new NoAccess();
  const provider = await loadProvider();
  const user = await provider?.manager.signinCallback();
  if (!provider || !user) throw new Error('the identity provider returned no user');
  beginSession(sessionOf(user, provider.kind));
  await queryClient.fetchQuery({ ...meQuery, staleTime: 0 }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || (error.status !== 401 && error.status !== 403)) return;
    endSession(false);
    throw new NoAccess(error.problem);
  });
  const { next } = (user.state ?? { next: '/events' }) as Return;
  // Only our own paths: `//host` would leave the site.
  return next === null || /^\/(?!\/)/.test(next) ? next : '/events';
}

/** Exchanges the refresh token for a new token. @returns false if the provider gave none, or no longer takes it */
export async function refreshToken(): Promise<boolean> {
  const provider = await loadProvider();
  const before = await provider?.manager.getUser();
  if (!provider || !before?.refresh_token) return false;
  const user = await provider.manager.signinSilent();
  // Another tab has signed out meanwhile.
  if (storedSession() === null) await provider.manager.removeUser();
  if (storedSession() === null || !user) return false;
  const renewed = sessionOf(user, provider.kind);
  // Some providers give no new ID token.
  if (provider.kind === 'id_token' && renewed.token === before.id_token) return false;
  beginSession({ ...renewed, renewedAt: Date.now() });
  return true;
}

/** Signs out here, in all tabs, and at the identity provider. */
export async function signOut(): Promise<void> {
  forgetViewing();
  const provider = await loadProvider().catch(() => null);
  // The next user of this browser must not receive this user's messages.
  if (localStorage.getItem('push')) {
    await import('../settings/push.ts').then(({ stopPush }) => stopPush()).catch(() => {});
  }
  endSession(true);
  await provider?.manager.signoutRedirect().catch(() => window.location.assign('/sign-in'));
}
