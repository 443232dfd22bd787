import { UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { api, bodyOf } from '../api/client.ts';
import { beginSession, endSession } from './session.ts';

type Return = { next: string };

let manager: Promise<UserManager | null> | null = null;

/** The school's identity provider, as the server tells of it; null where none is set. */
function provider(): Promise<UserManager | null> {
  manager ??= bodyOf(api.GET('/client-config')).then(({ sign_in }) => {
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

/** Leaves for the provider. @returns false where there is none */
export async function signIn(next: string): Promise<boolean> {
  const known = await provider();
  await known?.signinRedirect({ state: { next } satisfies Return });
  return known !== null;
}

/** Back from the provider: takes the token. @returns the page that was asked for */
export async function comeBack(): Promise<string> {
  const user = await (await provider())?.signinCallback();
  if (!user) throw new Error('the provider gave no token');
  const until = user.expires_at ? user.expires_at * 1000 : Date.now() + 3_600_000;
  beginSession({ token: user.access_token, until });
  const { next } = (user.state ?? { next: '/events' }) as Return;
  // Only a page of ours: two slashes would lead elsewhere.
  return /^\/(?!\/)/.test(next) ? next : '/events';
}

/** Forgets the token here, and at the provider. */
export async function signOut(): Promise<void> {
  const known = await provider().catch(() => null);
  // Whoever uses this browser next must not be shown what is meant for this person.
  if (localStorage.getItem('push')) {
    await import('../settings/push.ts').then(({ stopPush }) => stopPush()).catch(() => {});
  }
  endSession();
  await known?.signoutRedirect().catch(() => window.location.assign('/sign-in'));
}
