import { type User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { api, unwrap } from '../api/client.ts';
import { ApiError } from '../api/problem.ts';
import { meQuery, queryClient } from '../api/queries.ts';
import { beginSession, endSession } from './session.ts';

/** `next`: where to go after the sign-in; null: nowhere, another tab waits for it. */
type Return = { next: string | null };

let manager: Promise<UserManager | null> | null = null;

/** Loads the school's identity provider from the server's configuration; null if none is set. */
function loadProvider(): Promise<UserManager | null> {
  manager ??= unwrap(api.GET('/client-config')).then(({ sign_in }) => {
    if (!sign_in) return null;
    const { origin } = window.location;
    return new UserManager({
      authority: sign_in.issuer,
      client_id: sign_in.client_id,
      scope: sign_in.scope,
      redirect_uri: `${origin}/sign-in/back`,
      post_logout_redirect_uri: `${origin}/sign-in`,
      userStore: new WebStorageStateStore({ store: window.localStorage }),
      automaticSilentRenew: false,
    });
  });
  manager.catch(() => {
    manager = null;
  });
  return manager;
}

/** Redirects to the identity provider. @returns false if none is set */
export async function signIn(next: string | null): Promise<boolean> {
  const known = await loadProvider();
  await known?.signinRedirect({ state: { next } satisfies Return });
  return known !== null;
}

/** The school’s provider knows the person, but refuses them, or the API refuses their token. */
export class NoAccess extends Error {}

/**
 * Completes the sign-in after the redirect and stores the token.
 * @returns the path to go to, or null
 * @throws NoAccess
 */
export async function completeSignIn(): Promise<string | null> {
  if (new URLSearchParams(window.location.search).get('error') === 'access_denied') throw new NoAccess();
  const user = await (await loadProvider())?.signinCallback();
  if (!user) throw new Error('the identity provider returned no user');
  begin(user);
  await queryClient.fetchQuery({ ...meQuery, staleTime: 0 }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || (error.status !== 401 && error.status !== 403)) return;
    endSession(false);
    throw new NoAccess();
  });
  const { next } = (user.state ?? { next: '/events' }) as Return;
  // Only our own paths: `//host` would leave the site.
  return next === null || /^\/(?!\/)/.test(next) ? next : '/events';
}

function begin({ access_token, expires_at }: User): void {
  beginSession({ token: access_token, until: expires_at ? expires_at * 1000 : Date.now() + 3_600_000 });
}

/** Exchanges the refresh token for a new access token. @returns false if the provider gave none, or no longer takes it */
export async function refreshToken(): Promise<boolean> {
  const known = await loadProvider();
  const user = await known?.getUser();
  if (!known || !user?.refresh_token) return false;
  const renewed = await known.signinSilent();
  if (renewed) begin(renewed);
  return renewed !== null;
}

/** Signs out here and at the identity provider. */
export async function signOut(): Promise<void> {
  const known = await loadProvider().catch(() => null);
  // The next user of this browser must not receive this user's messages.
  if (localStorage.getItem('push')) {
    await import('../settings/push.ts').then(({ stopPush }) => stopPush()).catch(() => {});
  }
  endSession(true);
  await known?.signoutRedirect().catch(() => window.location.assign('/sign-in'));
}
