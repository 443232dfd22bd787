import { useSyncExternalStore } from 'react';
import { SESSION_KEY, type Session, storedSession } from './stored.ts';

export type { Session };

const listeners = new Set<() => void>();
let current: Session | null = storedSession();

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

// Another tab signed in or out.
window.addEventListener('storage', ({ key }) => {
  if (key !== SESSION_KEY && key !== null) return;
  current = storedSession();
  notifyListeners();
});

export const currentToken = (): Session | null => current;

/** Stores a token for every tab of this browser. */
export function beginSession(session: Session): void {
  current = session;
  localStorage.setItem(SESSION_KEY, JSON.stringify(session));
  notifyListeners();
}

/** Removes the token; if `token` is given, only while it is the current one. */
export function endSession(token?: string): void {
  if (token && current?.token !== token) return;
  current = null;
  localStorage.removeItem(SESSION_KEY);
  notifyListeners();
}

export const onSession = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSession = (): Session | null => useSyncExternalStore(onSession, currentToken);
