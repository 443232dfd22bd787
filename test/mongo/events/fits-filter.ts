import type { Days } from '../../../src/core/zoned-time.ts';
import { type SchoolEvent, searchWordsOf } from '../../../src/events/event.ts';
import { type EventFilter, UPCOMING } from '../../../src/events/rules/filter.ts';

type Child = NonNullable<EventFilter['for_children']>[number];

const concerns = ({ class_id, grade_level_ids, target_audience }: SchoolEvent, child: Child): boolean =>
  (class_id === null || child.class_ids.includes(class_id)) &&
  (grade_level_ids.length === 0 || grade_level_ids.some((grade) => child.grade_level_ids.includes(grade))) &&
  (target_audience.length === 0 || target_audience.some((one) => one !== 'staff' && one !== 'external'));

/** Applies a filter to one event, without a database; queries of the real store are compared with it. */
export function fits(event: SchoolEvent, filter: EventFilter): boolean {
  const among = (values: readonly string[] | undefined, own: readonly (string | null)[]) =>
    values === undefined || own.some((value) => value !== null && values.includes(value));
  const { start_date_from: from, start_date_to: to } = filter;
  return (
    among(filter.event_type, [event.event_type]) &&
    among(filter.status, [event.status]) &&
    among(filter.visibility, [event.visibility]) &&
    among(filter.organizer_id, [event.organizer_id]) &&
    among(filter.department_id, [event.department_id]) &&
    among(filter.class_id, [event.class_id]) &&
    (filter.for_children === undefined || filter.for_children.some((child) => concerns(event, child))) &&
    among(filter.parent_event_id, [event.parent_event_id]) &&
    (filter.series === undefined || [event.id, event.parent_event_id].includes(filter.series)) &&
    among(filter.tags, event.tags) &&
    among(filter.categories, event.categories) &&
    (filter.is_featured === undefined || filter.is_featured === event.is_featured) &&
    (filter.is_recurring === undefined || filter.is_recurring === event.is_recurring) &&
    (from === undefined || event.start_date >= from) &&
    (to === undefined || event.start_date <= to) &&
    (filter.words ?? []).every((word) => searchWordsOf(event).some((own) => own.startsWith(word))) &&
    !(filter.without_drafts && event.status === 'draft') &&
    (!filter.during || takesPlaceOn(event, filter.during)) &&
    (!filter.starts_on || startsOn(event, filter.starts_on)) &&
    (!filter.upcoming_at || (UPCOMING.includes(event.status) && event.starts_at > filter.upcoming_at))
  );
}

type Dated = Pick<SchoolEvent, 'all_day' | 'start_date' | 'end_date' | 'starts_at' | 'ends_at'>;

/** All-day events are compared by date, independent of the zone; others by instant. */
const takesPlaceOn = (event: Dated, days: Days): boolean =>
  event.all_day
    ? event.start_date <= days.last && event.end_date >= days.first
    : event.starts_at < days.until && event.ends_at > days.from;

export const startsOn = (event: Dated, days: Days): boolean =>
  event.all_day
    ? event.start_date >= days.first && event.start_date <= days.last
    : event.starts_at >= days.from && event.starts_at < days.until;
