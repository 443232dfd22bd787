import { pick } from '../core/objects.ts';
import { cut } from '../core/plain-text.ts';
import { EVENT_TYPES, type SchoolEvent } from '../events/event.ts';
import type { FamilyRegistration } from '../events/find-confirmed.ts';
import type { ReadAlways } from '../events/ports.ts';
import type { Action } from '../events/rules/lifecycle.ts';
import { SCHEDULE_FIELDS } from '../events/rules/schedule.ts';

const TITLE_MAX = 40;

/** The event fields that an entry needs. Each costs as much as the next to decode, whatever its size. */
export const ENTRY_FIELDS = [
  'status',
  'title',
  'translations',
  'event_type',
  'ends_at',
  ...SCHEDULE_FIELDS,
  'location',
  'location_name',
  'is_recurring',
  'parent_event_id',
  'is_featured',
  'current_attendees',
] as const satisfies readonly (keyof SchoolEvent)[];

/** The properties of an entry that are fields of the event as they are. */
export const AS_STORED = ['id', 'event_type', 'status', 'starts_at', 'ends_at', ...SCHEDULE_FIELDS] as const;

/** An event as the calendar shows it. @param registered the active registrations of the viewer and their children */
export function entryOf(
  event: Pick<SchoolEvent, ReadAlways | (typeof ENTRY_FIELDS)[number]>,
  allowed_actions: Action[],
  registered: readonly FamilyRegistration[],
) {
  const { icon, color } = EVENT_TYPES[event.event_type];
  return {
    ...pick(event, AS_STORED),
    title: cut(event.title, TITLE_MAX),
    full_title: event.title.length > TITLE_MAX ? event.title : null,
    icon,
    color,
    location_name: event.location?.name ?? event.location_name,
    recurring: event.is_recurring || event.parent_event_id !== null,
    featured: event.is_featured,
    allowed_actions,
    registered,
  };
}
