import type { User } from 'oidc-client-ts';
import { showColor } from '../app/color.ts';

/** A token, its expiry, and when it was renewed, by this device's clock in milliseconds. */
export type Session = { token: string; until: number; renewedAt?: number };

export const isOver = ({ until }: Session): boolean => until < Date.now();

export type TokenKind = 'access_token' | 'id_token';

/** The session of a token that the identity provider has just given, which counts its life by a clock of its own. */
export function sessionOf(user: Pick<User, TokenKind | 'expires_at' | 'profile'>, kind: TokenKind): Session {
  const { access_token, expires_at, id_token = '', profile } = user;
  if (kind === 'id_token') return { token: id_token, until: Date.now() + (profile.exp - profile.iat) * 1000 };
  return { token: access_token, until: expires_at ? expires_at * 1000 : Date.now() + 3_600_000 };
}

export const SESSION_KEY = 'session';

/** Reads the session from localStorage; null if missing or invalid. */
export const storedSession = () => readJson<Session>(SESSION_KEY, 'token');

/** A value that this device keeps as JSON, if it has these texts; null if it is missing or invalid. */
function readJson<T>(key: string, ...texts: (keyof T)[]): T | null {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? 'null') as T | null;
    return found && texts.every((name) => typeof found[name] === 'string') ? found : null;
  } catch {
    return null;
  }
}

type LastSchool = { id: string; name: string; color?: string | null };

const SCHOOL_KEY = 'school';

/**
 * Shows the color of the school of the sign-in or public calendar, and remembers the school on this device, so that the
 * sign-in page can name it and every page has its color from the start.
 */
export function rememberSchool({ id, name, color = null }: LastSchool): void {
  showColor(color);
  try {
    localStorage.setItem(SCHOOL_KEY, JSON.stringify({ id, name, color } satisfies LastSchool));
  } catch {
    // The storage is full.
  }
}

/** The school that this device was last used for; null if it has not been used. */
export const lastSchool = () => readJson<LastSchool>(SCHOOL_KEY, 'id', 'name');

const VIEW_KEY = 'view-as';

/** Whom this tab views the school as: the value of `X-View-As`, or null. It survives a reload and ends with the session. */
export const viewedAs = (): string | null => sessionStorage.getItem(VIEW_KEY);

/** Views the school as a role, such as `role:parent`, or as a person: `person:` with the encoded id. */
export function startViewing(target: string): void {
  sessionStorage.setItem(VIEW_KEY, target);
  loadAnew();
}

export function stopViewing(): void {
  forgetViewing();
  loadAnew();
}

export const forgetViewing = (): void => sessionStorage.removeItem(VIEW_KEY);

/** A new page has no data of the view before. */
const loadAnew = (): void => window.location.assign('/events');
