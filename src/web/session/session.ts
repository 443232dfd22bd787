import { createAtom } from '@tanstack/react-store';
import { forgetViewing, SESSION_KEY, type Session, storedSession } from './stored.ts';

export const sessionStore = createAtom(storedSession());
/** Whether the API no longer takes the token; until the next sign-in. The page stays, with what was typed in it. */
export const isExpired = createAtom(false);

// Another tab signed in or out.
window.addEventListener('storage', ({ key }) => {
  if (key !== SESSION_KEY && key !== null) return;
  changeSession(storedSession());
});

// The browser shows a page again that it had set aside while someone signed out.
window.addEventListener('pageshow', ({ persisted }) => persisted && changeSession(storedSession()));

export const currentSession = sessionStore.get;

const LEFT_KEY = 'signed-out';
/** Whether the last user of this browser signed out, rather than being signed out. */
export const hasSignedOut = (): boolean => localStorage.getItem(LEFT_KEY) !== null;

/** Stores a token for every tab of this browser. */
export function beginSession(session: Session): void {
  localStorage.removeItem(LEFT_KEY);
  localStorage.setItem(SESSION_KEY, JSON.stringify(session));
  changeSession(session);
}

/** Removes the token. @param isOwnWish the user has signed out */
export function endSession(isOwnWish: boolean): void {
  if (isOwnWish) localStorage.setItem(LEFT_KEY, 'true');
  localStorage.removeItem(SESSION_KEY);
  changeSession(null);
}

/** Asks to sign in again, unless `token` has been replaced meanwhile. */
export function expireSession(token: string): void {
  if (currentSession()?.token === token && !isExpired.get()) isExpired.set(true);
}

function changeSession(session: Session | null): void {
  if (!session) forgetViewing();
  sessionStore.set(session);
  isExpired.set(false);
}
