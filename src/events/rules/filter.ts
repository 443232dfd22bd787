import type { Static } from 'typebox';
import { anyOf, date, flag, line, oneOf, optional } from '../../core/schema.ts';
import { type Days, dayOf, daysOf, weekOf } from '../../core/zoned-time.ts';
import { id } from '../../people/schema.ts';
import { EVENT_STATUSES, type EventStatus } from '../event.ts';
import { EVENT_TYPE, VISIBILITY } from '../event-fields.ts';

export const ONE_ID_PATTERN = '^[^,]*$';
/** Without its pattern, a comma list of ids would match nothing, without a word. */
export const oneId = { ...id, pattern: ONE_ID_PATTERN };

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

export type FilterQuery = { [K in keyof typeof FILTERS]?: Static<(typeof FILTERS)[K]> };

/** Filters of a list: all given filters must match, each by any of its values. */
export type EventFilter = Omit<FilterQuery, 'q'> & {
  /** for the class and grade of one of these children, or for all classes and grades; not for staff or visitors alone */
  for_children?: readonly { class_ids: readonly string[]; grade_level_ids: readonly string[] }[];
  /** all occurrences of this series, including the first, whose id it is */
  series?: string;
  /** word prefixes from `searchWords`; title and tags must match all of them */
  words?: readonly string[];
  without_drafts?: true;
  /** takes place, at least in part, on these days: all-day events by their dates, others by instants */
  during?: Days;
  /** starts on these days */
  starts_on?: Days;
  /** future events in a status that can still start */
  upcoming_at?: Date;
};

/** The audiences that concern a child and its parents. */
export const OF_FAMILIES = ['all', 'students', 'parents'] as const;

export const UPCOMING: readonly EventStatus[] = ['scheduled', 'published', 'postponed'];

export const QUICK_FILTERS = ['today', 'this_week', 'upcoming', 'my_events', 'featured'] as const;
export type QuickFilter = (typeof QUICK_FILTERS)[number];

/** The quick filters, in the school's zone. Weeks start on Monday; `today` includes running events. */
export function quickFilter(quick: QuickFilter, now: Date, zone: string, user_id: string): EventFilter {
  switch (quick) {
    case 'today':
      return { during: daysOf(dayOf(now, zone), dayOf(now, zone), zone) };
    case 'this_week': {
      const { first, last } = weekOf(dayOf(now, zone));
      return { during: daysOf(first, last, zone) };
    }
    case 'upcoming':
      return { upcoming_at: now };
    case 'my_events':
      return { organizer_id: [user_id] };
    case 'featured':
      return { is_featured: true };
  }
}
