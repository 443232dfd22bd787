import { Type } from 'typebox';
import { invalid } from '../core/errors.ts';
import { decodeCursor, PAGE_DEFAULT, PAGE_MAX, type Position } from '../core/paging.ts';

/** The query parameters of every list; spread into the route's own. */
export const PAGING = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: PAGE_MAX,
      description: `How many at most, ${PAGE_DEFAULT} when not given. A page of large events has fewer: has_more tells.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 500, description: 'The next_cursor of the page before, with the same filters.' }),
  ),
};

/** @throws Refused `validation_failed` where the cursor is broken or belongs to other filters */
export function positionOf(query: { cursor?: string }, filters: unknown): Position | null {
  if (query.cursor === undefined) return null;
  const position = decodeCursor(query.cursor, filters);
  if (!position) throw invalid([{ pointer: '/query/cursor', message: 'does not belong to this list' }]);
  return position;
}

export const limitOf = (query: { limit?: number }): number => query.limit ?? PAGE_DEFAULT;
