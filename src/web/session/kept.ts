/** A token, and until when it is good by this device's clock. */
export type Session = { token: string; until: number };

export const SESSION_KEY = 'session';

/** What this browser keeps; null where there is nothing, or nothing that makes sense. */
export function keptSession(): Session | null {
  try {
    const found = JSON.parse(localStorage.getItem(SESSION_KEY) ?? 'null') as Session | null;
    return found && typeof found.token === 'string' ? found : null;
  } catch {
    return null;
  }
}
