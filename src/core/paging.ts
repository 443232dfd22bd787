import { invalidField } from './errors.ts';
import { hashOf } from './ids.ts';
import { canonical } from './objects.ts';

export const PAGE_DEFAULT = 50;
export const PAGE_MAX = 100;

export type Page<T> = { data: T[]; next_cursor: string | null; has_more: boolean };

/** The end of a page: sort value and id of its last row. */
export type Position = { at: string; id: string };

/** The place of a row in a list by time. */
export type Moment = { at: Date; id: string };

/** The rows with keys after `after`, up to and with `until`; null: no bound. */
export type Range = { after: string | null; until: string | null };

/** Encodes an opaque cursor bound to its filters, so that it is refused with other filters; their order does not matter. */
export function encodeCursor(position: Position, filters: unknown): string {
  return Buffer.from(JSON.stringify([position.at, position.id, filterHash(filters)])).toString('base64url');
}

/** @returns the position, or null if the cursor is malformed or belongs to other filters */
export function decodeCursor(cursor: string, filters: unknown): Position | null {
  try {
    const [at, id, hash] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return typeof at === 'string' && typeof id === 'string' && hash === filterHash(filters) ? { at, id } : null;
  } catch {
    return null;
  }
}

/** The refusal of a cursor that is broken or belongs to other filters. */
export function unknownCursor() {
  const message = 'is not a cursor of this list: use `next_cursor` with the same filters, or leave it out';
  return invalidField('/query/cursor', message, 'cursor');
}

/** Builds a page from `limit + 1` rows: the extra row tells whether there are more. */
export function pageOf<T>(rows: T[], limit: number, positionOf: (row: T) => Position, filters: unknown): Page<T> {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const has_more = rows.length > limit;
  return { data, has_more, next_cursor: has_more && last ? encodeCursor(positionOf(last), filters) : null };
}

const filterHash = (filters: unknown): string => hashOf(canonical(filters ?? null)).slice(0, 12);
