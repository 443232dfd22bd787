import { useSyncExternalStore } from 'react';
import { keptSession, SESSION_KEY, type Session } from './kept.ts';

export type { Session };

const listeners = new Set<() => void>();
let kept: Session | null = keptSession();

function tell(): void {
  for (const listener of listeners) listener();
}

// Another tab signed in or out.
window.addEventListener('storage', ({ key }) => {
  if (key !== SESSION_KEY && key !== null) return;
  kept = keptSession();
  tell();
});

export const currentToken = (): Session | null => kept;

/** Keeps a token for every tab of this browser. */
export function beginSession(session: Session): void {
  kept = session;
  localStorage.setItem(SESSION_KEY, JSON.stringify(session));
  tell();
}

/** Forgets the token; only if it is still this one, where one is named. */
export function endSession(token?: string): void {
  if (token && kept?.token !== token) return;
  kept = null;
  localStorage.removeItem(SESSION_KEY);
  tell();
}

export const onSession = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSession = (): Session | null => useSyncExternalStore(onSession, currentToken);
