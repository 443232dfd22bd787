import { readJson } from './read-json.ts';

/** A token and its expiry by this device's clock, in milliseconds. */
export type Session = { token: string; until: number };

export const isOver = ({ until }: Session): boolean => until < Date.now();

export const SESSION_KEY = 'session';

/** Reads the session from localStorage; null if missing or invalid. */
export const storedSession = () => readJson<Session>(SESSION_KEY, 'token');
