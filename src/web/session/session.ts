import { createStore } from '../parts/store.ts';
import { SESSION_KEY, type Session, storedSession } from './stored.ts';

export const sessionStore = createStore(storedSession());

// Another tab signed in or out.
window.addEventListener('storage', ({ key }) => {
  if (key !== SESSION_KEY && key !== null) return;
  sessionStore.set(storedSession());
});

export const currentToken = sessionStore.get;

/** Stores a token for every tab of this browser. */
export function beginSession(session: Session): void {
  localStorage.setItem(SESSION_KEY, JSON.stringify(session));
  sessionStore.set(session);
}

/** Removes the token; if `token` is given, only while it is the current one. */
export function endSession(token?: string): void {
  if (token && currentToken()?.token !== token) return;
  localStorage.removeItem(SESSION_KEY);
  sessionStore.set(null);
}
