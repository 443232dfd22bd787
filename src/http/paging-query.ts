import { Type } from 'typebox';
import {
  decodeCursor,
  type Moment,
  PAGE_DEFAULT,
  PAGE_MAX,
  type Page,
  type Position,
  pageOf,
  unknownCursor,
} from '../core/paging.ts';

/** The query parameters of every list. Routes spread them into their own. */
export const PAGING = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: PAGE_MAX,
      description: `How many items to return at most; ${PAGE_DEFAULT} by default. A page of large events can have fewer: see has_more.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 3_000,
      description: 'The `next_cursor` of the previous page. Send the same filters with it.',
    }),
  ),
};

type PageQuery = { cursor?: string; limit?: number };

/**
 * The page that a query asks for.
 * @param boundTo the filters that the cursor belongs to
 * @throws Refused `validation_failed` if the cursor is broken or belongs to other filters
 */
export function parsePage({ cursor, limit = PAGE_DEFAULT }: PageQuery, boundTo: unknown) {
  const after = cursor === undefined ? null : decodeCursor(cursor, boundTo);
  if (cursor !== undefined && !after) throw unknownCursor();
  return { limit, after, boundTo };
}

/** The position of a row in a list by time. */
export const createdAt = ({ id, created_at }: { id: string; created_at: Date }): Position => ({
  at: created_at.toISOString(),
  id,
});

/** The moment and id of a position in a list by time. @throws Refused `validation_failed` if the client made it up */
export function momentOf(last: Position | null): Moment | null {
  if (last === null) return null;
  const at = new Date(last.at);
  if (Number.isNaN(at.getTime())) throw unknownCursor();
  return { at, id: last.id };
}

/** The response of a list that is always one page. */
export const onePage = <Row>(data: Row[]) => ({ data, next_cursor: null, has_more: false });

/**
 * Reads the page that a query asks for.
 * @param boundTo the filters that the cursor belongs to
 * @param load reads at most `limit` rows after the position, one more than a page has
 * @param endAt the position of a row; by default its id, for lists in that order
 */
export async function readPage<Row extends { id: string }>(
  query: PageQuery,
  boundTo: unknown,
  load: (limit: number, after: Position | null) => Promise<Row[]>,
  endAt: (row: Row) => Position = ({ id }) => ({ at: '', id }),
): Promise<Page<Row>> {
  const { limit, after } = parsePage(query, boundTo);
  return pageOf(await load(limit + 1, after), limit, endAt, boundTo);
}
