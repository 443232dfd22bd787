import { Type } from 'typebox';
import { invalidField } from '../../core/errors.ts';
import { searchWords } from '../../core/plain-text.ts';
import { type EventFilter, FILTERS, type FilterQuery, oneId, QUICK_FILTERS } from '../../events/rules/filter.ts';
import type { Caller } from '../../people/caller.ts';
import { anyOf, oneOf, optional } from '../schemas/fields.ts';
import { checkSpan } from '../span.ts';

const WORDS_MAX = 10;

/** The filter of parents. */
export const CHILD_ID = anyOf(
  oneId,
  'Only events for this child of yours: for its class and grade, or for all classes and grades.',
);

/**
 * Limits a list to what concerns some of the caller's children, as a parent of no others sees it. Without ids, limits nothing.
 * @throws Refused `validation_failed` for other people
 */
export function forChildren(
  caller: Caller,
  filter: EventFilter,
  ids: readonly string[] | undefined,
): { viewer: Caller; filter: EventFilter } {
  if (!ids) return { viewer: caller, filter };
  if (!ids.every((one) => caller.children.includes(one))) {
    throw invalidField('/query/child_id', 'must be one of your children', 'own_child');
  }
  const known_children = (caller.known_children ?? []).filter(({ user_id }) => ids.includes(user_id));
  return {
    viewer: { ...caller, children: ids, known_children },
    filter: { ...filter, for_children: known_children },
  };
}

export const QUICK = optional(
  Type.Array(oneOf(QUICK_FILTERS), {
    minItems: 1,
    maxItems: QUICK_FILTERS.length,
    description:
      'A quick filter in the school’s time zone. Weeks start on Monday. Repeat the parameter to match all of several filters.',
  }),
);

/** Reads the filters of a query. @throws Refused `validation_failed` */
export function filterOf(query: FilterQuery): EventFilter {
  const { q, start_date_from: from, start_date_to: to } = query;
  checkSpan({ from, to }, '/query/start_date_to', 'start_date_from');
  const words = q === undefined ? undefined : searchWords(q);
  if (words && (words.length === 0 || words.length > WORDS_MAX)) {
    throw invalidField('/query/q', `must contain 1 to ${WORDS_MAX} words`, 'words');
  }
  const given = Object.keys(FILTERS).filter((name) => name !== 'q' && query[name as keyof FilterQuery] !== undefined);
  return {
    ...Object.fromEntries(given.map((name) => [name, query[name as keyof FilterQuery]])),
    ...(words && { words }),
  };
}
