import { type Static, Type } from 'typebox';
import { invalidField } from '../../core/errors.ts';
import { searchWords } from '../../core/plain-text.ts';
import { EVENT_STATUSES } from '../../events/event.ts';
import { EVENT_TYPE, VISIBILITY } from '../../events/event-fields.ts';
import { type EventFilter, QUICK_FILTERS } from '../../events/rules/filter.ts';
import type { Caller } from '../../people/caller.ts';
import { PATTERNS } from '../openapi/formats.ts';
import { anyOf, date, flag, id, line, oneOf, optional } from '../schemas/fields.ts';
import { checkSpan } from '../span.ts';

const WORDS_MAX = 10;

// Otherwise a comma list of ids would match nothing, without a word.
const oneId = { ...id, pattern: PATTERNS.one_id.pattern };

/** The filters that need no token. */
export const OPEN_FILTERS = {
  event_type: anyOf(EVENT_TYPE, 'Only events of this type.'),
  status: anyOf(oneOf(EVENT_STATUSES), 'Only events with this status.'),
  start_date_from: optional({ ...date, description: 'Only events that start on or after this date.' }),
  start_date_to: optional({ ...date, description: 'Only events that start on or before this date.' }),
  is_featured: flag('True: only featured events. False: only the others.'),
  is_recurring: flag('True: only recurring events. False: only the others.'),
  tags: anyOf(line(50), 'Only events with this tag.'),
  categories: anyOf(line(50), 'Only events in this category.'),
  q: optional(
    line(200, {
      description: 'Words of the title or tags, or their beginnings. All must match. Case and accents don’t matter.',
    }),
  ),
};

/** All filters of lists and calendars, and a text search. */
export const FILTERS = {
  ...OPEN_FILTERS,
  visibility: anyOf(VISIBILITY, 'Only events with this visibility.'),
  organizer_id: anyOf(oneId, 'Only events of this organizer.'),
  department_id: anyOf(oneId, 'Only events of this department.'),
  class_id: anyOf(oneId, 'Only events of this class.'),
  parent_event_id: anyOf(oneId, 'Only occurrences of the series that begins with this event, without the first.'),
};

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

type Query = { [K in keyof typeof FILTERS]?: Static<(typeof FILTERS)[K]> };

/** Reads the filters of a query. @throws Refused `validation_failed` */
export function filterOf(query: Query): EventFilter {
  const { q, start_date_from: from, start_date_to: to } = query;
  checkSpan({ from, to }, '/query/start_date_to', 'start_date_from');
  const words = q === undefined ? undefined : searchWords(q);
  if (words && (words.length === 0 || words.length > WORDS_MAX)) {
    throw invalidField('/query/q', `must contain 1 to ${WORDS_MAX} words`, 'words');
  }
  const given = Object.keys(FILTERS).filter((name) => name !== 'q' && query[name as keyof Query] !== undefined);
  return { ...Object.fromEntries(given.map((name) => [name, query[name as keyof Query]])), ...(words && { words }) };
}
