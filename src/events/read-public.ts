import { notFound } from '../core/errors.ts';
import { pick } from '../core/objects.ts';
import { NO_GROUPS } from '../people/caller.ts';
import { maySee, type Viewer } from '../people/visibility.ts';
import { availableSpots, type SchoolEvent } from './event.ts';
import type { EventReader, EventStore } from './ports.ts';
import { SCHEDULE_FIELDS } from './rules/schedule.ts';

/** The stored fields that visitors without a token see as they are. */
export const PUBLIC_FIELDS = [
  'id',
  'school_id',
  'title',
  'translations',
  'description',
  'event_type',
  'status',
  ...SCHEDULE_FIELDS,
  'starts_at',
  'ends_at',
  'is_recurring',
  'parent_event_id',
  'location_name',
  'is_free',
  'cost',
  'currency',
  'image_url',
  'banner_url',
  'attachments',
  'tags',
  'categories',
  'registration_type',
  'registration_deadline',
  'registration_url',
  'max_attendees',
  'is_featured',
  'published_at',
  'cancelled_at',
  'postponed_to',
  'updated_at',
] as const satisfies readonly (keyof SchoolEvent)[];

/** An event as visitors without a token see it: without people and without the meeting link. */
export function publicView(event: SchoolEvent) {
  const { virtualLink: _, capacity: __, ...place } = event.location ?? {};
  return {
    ...pick(event, PUBLIC_FIELDS),
    location: event.location && place,
    available_spots: availableSpots(event),
  };
}

/**
 * Loads the viewer for an anonymous visitor of a school.
 * @throws Refused `not_found` if no school has this id, or if several tenants have one
 */
export async function loadVisitor(deps: { eventReader: EventReader }, school_id: string): Promise<Viewer> {
  const [tenant_id, another] = await deps.eventReader.findTenants(school_id);
  if (tenant_id === undefined || another !== undefined) throw notFound();
  return { tenant_id, school_id, user_id: null, ...NO_GROUPS, roles: ['external'] };
}

/** Loads one event that external visitors may see. @throws Refused `not_found` */
export async function findPublicEvent(
  deps: { eventReader: EventReader; events: Pick<EventStore, 'find'> },
  school_id: string,
  id: string,
): Promise<SchoolEvent> {
  const visitor = await loadVisitor(deps, school_id);
  const event = await deps.events.find(visitor, id);
  if (!event || !maySee(visitor, event)) throw notFound();
  return event;
}
