/** A token, its expiry, and when it was renewed, by this device's clock in milliseconds. */
export type Session = { token: string; until: number; renewedAt?: number };

export const isOver = ({ until }: Session): boolean => until < Date.now();

export const SESSION_KEY = 'session';

/** Reads the session from localStorage; null if missing or invalid. */
export const storedSession = () => readJson<Session>(SESSION_KEY, 'token');

/** A value that this device keeps as JSON, if it has these texts; null if it is missing or invalid. */
export function readJson<T>(key: string, ...texts: (keyof T)[]): T | null {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? 'null') as T | null;
    return found && texts.every((name) => typeof found[name] === 'string') ? found : null;
  } catch {
    return null;
  }
}
