import { type Static, type TSchema, Type } from 'typebox';
import { invalid } from '../../core/errors.ts';
import { searchWords } from '../../core/search-words.ts';
import { EVENT_STATUSES } from '../../events/event.ts';
import { EVENT_TYPES, type EventType } from '../../events/rules/event-types.ts';
import { type EventFilter, QUICK_FILTERS } from '../../events/rules/filter.ts';
import { VISIBILITIES, type Visibility } from '../../people/visibility.ts';
import { date, id, line, oneOf, optional } from '../schemas/fields.ts';

const WORDS_MAX = 10;

/** A parameter that may be given several times; any of the values will do. */
const anyOf = <T extends TSchema>(value: T, what: string) =>
  optional(Type.Array(value, { minItems: 1, maxItems: 20, description: `${what}; give it again for any of several` }));

/** What everyone may narrow a list by, also without a token. */
export const OPEN_FILTERS = {
  event_type: anyOf(oneOf(Object.keys(EVENT_TYPES) as EventType[]), 'by type'),
  status: anyOf(oneOf(EVENT_STATUSES), 'by status'),
  start_date_from: optional({ ...date, description: 'the earliest start_date, itself included' }),
  start_date_to: optional({ ...date, description: 'the latest start_date, itself included' }),
  is_featured: optional(Type.Boolean({ description: 'featured or not' })),
  is_recurring: optional(Type.Boolean({ description: 'recurring or not' })),
  tags: anyOf(line(50), 'by tag'),
  categories: anyOf(line(50), 'by category'),
  q: optional(
    line(200, { description: 'words that begin words of title or tags, each of them; case and accents do not count' }),
  ),
};

/** The twelve filters of the specification (§4) and words. */
export const FILTERS = {
  ...OPEN_FILTERS,
  visibility: anyOf(oneOf(Object.keys(VISIBILITIES) as Visibility[]), 'by visibility'),
  organizer_id: anyOf(id, 'by organizer'),
  department_id: anyOf(id, 'by department'),
  class_id: anyOf(id, 'by class'),
};

export const QUICK = optional(
  oneOf(QUICK_FILTERS, { description: 'a quick filter, in the school’s zone; weeks start on Monday' }),
);

/** Several of them, each of which must hold. */
export const QUICK_LIST = optional(
  Type.Array(oneOf(QUICK_FILTERS), {
    minItems: 1,
    maxItems: QUICK_FILTERS.length,
    description: 'a quick filter; given again, each must hold',
  }),
);

type Asked = { [K in keyof typeof FILTERS]?: Static<(typeof FILTERS)[K]> };

/** The filters of a query, and nothing else of it. @throws Refused `validation_failed` */
export function filterOf(query: Asked): EventFilter {
  const { q, start_date_from: from, start_date_to: to } = query;
  const words = q === undefined ? undefined : searchWords(q);
  if (words && (words.length === 0 || words.length > WORDS_MAX)) {
    throw invalid([{ pointer: '/query/q', message: `must contain 1 to ${WORDS_MAX} words` }]);
  }
  if (from !== undefined && to !== undefined && from > to) {
    throw invalid([{ pointer: '/query/start_date_to', message: 'must not be before start_date_from' }]);
  }
  const given = Object.keys(FILTERS).filter((name) => name !== 'q' && query[name as keyof Asked] !== undefined);
  return {
    ...Object.fromEntries(given.map((name) => [name, query[name as keyof Asked]])),
    ...(words ? { words } : {}),
  };
}
