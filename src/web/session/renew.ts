import { useSelector } from '@tanstack/react-store';
import { useEffect, useState } from 'react';
import { currentSession, isExpired } from './session.ts';
import { storedSession } from './stored.ts';

/** Renew this long before the end, so that no request meets an expired token. */
const AHEAD_MS = 120_000;
const CHECK_MS = 30_000;
/** The API refuses a token this new for another reason than its age, and would refuse the next one too. */
const NEW_MS = 30_000;

/**
 * Gets a new token without asking, if the identity provider gave a refresh token. One tab renews at a time, since a
 * refresh token may work only once.
 * @returns whether there is a new token
 */
export function renewSession(): Promise<boolean> {
  // Without https there are no locks; the sign-in at a provider needs it, too.
  if (!navigator.locks) return Promise.resolve(false);
  const before = currentSession()?.token;
  return navigator.locks.request('renew-session', async () => {
    const now = storedSession();
    // Another tab has renewed it meanwhile.
    if (now && now.token !== before) return true;
    if (now?.renewedAt && Date.now() - now.renewedAt < NEW_MS) return false;
    // Its script is missing if the server was updated since the page was loaded.
    return import('./provider.ts').then(({ refreshToken }) => refreshToken()).catch(() => false);
  });
}

/** Renews the session before it ends, and when the API rejects its token. @returns whether people have to sign in again */
export function useSessionEnd(): boolean {
  const hasExpired = useSelector(isExpired);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    setFailed(false);
    if (hasExpired) void renewSession().then((renewed) => setFailed(!renewed));
  }, [hasExpired]);
  useEffect(() => {
    // Timers stop while a device sleeps, so the time left is checked again and again.
    const timer = setInterval(() => {
      const left = (currentSession()?.until ?? Number.POSITIVE_INFINITY) - Date.now();
      if (left < AHEAD_MS && !isExpired.get()) void renewSession();
    }, CHECK_MS);
    return () => clearInterval(timer);
  }, []);
  return hasExpired && hasFailed;
}
