import { type Days, dayOf, daysOf, weekOf } from '../../core/zoned-time.ts';
import type { Visibility } from '../../people/visibility.ts';
import type { EventStatus } from '../event.ts';
import type { EventType } from '../event-types.ts';

/** Filters of a list: all given filters must match, each by any of its values. */
export type EventFilter = {
  event_type?: readonly EventType[];
  status?: readonly EventStatus[];
  visibility?: readonly Visibility[];
  organizer_id?: readonly string[];
  department_id?: readonly string[];
  class_id?: readonly string[];
  /** for the class and grade of one of these children, or for all classes and grades; not for staff or visitors alone */
  for_children?: readonly { class_ids: readonly string[]; grade_level_ids: readonly string[] }[];
  parent_event_id?: readonly string[];
  /** all occurrences of this series, including the first, whose id it is */
  series?: string;
  tags?: readonly string[];
  categories?: readonly string[];
  is_featured?: boolean;
  is_recurring?: boolean;
  /** bounds of the event's own start_date, both included */
  start_date_from?: string;
  start_date_to?: string;
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
