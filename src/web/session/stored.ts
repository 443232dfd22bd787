/** A token and its expiry by this device's clock, in milliseconds. */
export type Session = { token: string; until: number };

export const isOver = ({ until }: Session): boolean => until < Date.now();

export const SESSION_KEY = 'session';

/** Reads the session from localStorage; null if missing or invalid. */
export function storedSession(): Session | null {
  try {
    const found = JSON.parse(localStorage.getItem(SESSION_KEY) ?? 'null') as Session | null;
    return found && typeof found.token === 'string' ? found : null;
  } catch {
    return null;
  }
}
