import { createStore } from '../parts/store.ts';
import { SESSION_KEY, type Session, storedSession } from './stored.ts';

export const sessionStore = createStore(storedSession());
/** Whether the API no longer takes the token; until the next sign-in. The page stays, with what was typed in it. */
export const isExpired = createStore(false);

// Another tab signed in or out.
window.addEventListener('storage', ({ key }) => {
  if (key !== SESSION_KEY && key !== null) return;
  changeSession(storedSession());
});

export const currentToken = sessionStore.get;

/** Stores a token for every tab of this browser. */
export function beginSession(session: Session): void {
  localStorage.setItem(SESSION_KEY, JSON.stringify(session));
  changeSession(session);
}

/** Removes the token. */
export function endSession(): void {
  localStorage.removeItem(SESSION_KEY);
  changeSession(null);
}

/** Asks to sign in again, unless `token` has been replaced meanwhile. */
export function expireSession(token: string): void {
  if (currentToken()?.token === token && !isExpired.get()) isExpired.set(true);
}

function changeSession(session: Session | null): void {
  sessionStore.set(session);
  isExpired.set(false);
}
