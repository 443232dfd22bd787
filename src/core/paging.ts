import { digestOf } from './ids.ts';

export const PAGE_DEFAULT = 50;
export const PAGE_MAX = 100;

export type Page<T> = { data: T[]; next_cursor: string | null; has_more: boolean };

/** Where a page ends: the sort value and id of its last row. */
export type Position = { at: string; id: string };

/** Opaque and bound to its filters, so a cursor can't be carried over to another question. */
export function encodeCursor(position: Position, filters: unknown): string {
  return Buffer.from(JSON.stringify([position.at, position.id, filterMark(filters)])).toString('base64url');
}

/** @returns the position, or null where the cursor is broken or belongs to other filters */
export function decodeCursor(cursor: string, filters: unknown): Position | null {
  try {
    const [at, id, mark] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return typeof at === 'string' && typeof id === 'string' && mark === filterMark(filters) ? { at, id } : null;
  } catch {
    return null;
  }
}

/** Cuts `limit + 1` rows down to a page. */
export function pageOf<T>(rows: T[], limit: number, positionOf: (row: T) => Position, filters: unknown): Page<T> {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const has_more = rows.length > limit;
  return { data, has_more, next_cursor: has_more && last ? encodeCursor(positionOf(last), filters) : null };
}

const filterMark = (filters: unknown): string => digestOf(JSON.stringify(filters ?? null)).slice(0, 12);
