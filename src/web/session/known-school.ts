import { readJson } from './stored.ts';

type KnownSchool = { id: string; name: string; color?: string | null };

const KEY = 'school';

/**
 * Remembers the school of the last sign-in or public calendar on this device, so that the sign-in page can name it and every
 * page has its color from the start.
 */
export const rememberSchool = ({ id, name, color = null }: KnownSchool): void =>
  localStorage.setItem(KEY, JSON.stringify({ id, name, color } satisfies KnownSchool));

/** The school that this device was last used for; null if it has not been used. */
export const knownSchool = () => readJson<KnownSchool>(KEY, 'id', 'name');
