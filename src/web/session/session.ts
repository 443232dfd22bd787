import { useSyncExternalStore } from 'react';

/** A token, and until when it is good by this device's clock. */
export type Session = { token: string; until: number };

const KEY = 'session';
const listeners = new Set<() => void>();
let kept: Session | null = read();

function read(): Session | null {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Session | null;
    return found && typeof found.token === 'string' ? found : null;
  } catch {
    return null;
  }
}

function tell(): void {
  for (const listener of listeners) listener();
}

// Another tab signed in or out.
window.addEventListener('storage', ({ key }) => {
  if (key !== KEY && key !== null) return;
  kept = read();
  tell();
});

export const currentToken = (): Session | null => kept;

/** Keeps a token for every tab of this browser. */
export function beginSession(session: Session): void {
  kept = session;
  localStorage.setItem(KEY, JSON.stringify(session));
  tell();
}

/** Forgets the token; only if it is still this one, where one is named. */
export function endSession(token?: string): void {
  if (token && kept?.token !== token) return;
  kept = null;
  localStorage.removeItem(KEY);
  tell();
}

export const onSession = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSession = (): Session | null => useSyncExternalStore(onSession, currentToken);
