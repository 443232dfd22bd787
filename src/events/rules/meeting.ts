import type { Scope } from '../../people/caller.ts';
import type { Viewer } from '../../people/visibility.ts';
import type { SchoolEvent } from '../event.ts';

/** The parts of an event that decide who may see its meeting link. */
export type MeetingEvent = Pick<SchoolEvent, 'id' | 'organizer_id' | 'registration_type' | 'location'>;

/** An active registration of a person for an event. */
export type ActiveRegistration = { event_id: string; user_id: string; status: 'pending' | 'confirmed' | 'waitlisted' };

/** Finds the active registrations of these people, in one query and in no order. */
export type FindActiveRegistrations = (scope: Scope, user_ids: readonly string[]) => Promise<ActiveRegistration[]>;

/**
 * Whether a viewer of an event may see its meeting link: the organizer, staff who may edit events, confirmed people, and if
 * no registration is needed all members of the school.
 * @param confirmed ids of the events for which the viewer, or a child of theirs, is confirmed
 */
export function maySeeMeetingLink(viewer: Viewer, event: MeetingEvent, confirmed: ReadonlySet<string>): boolean {
  if (viewer.permissions?.includes('events.update') || confirmed.has(event.id)) return true;
  if (viewer.user_id !== null && viewer.user_id === event.organizer_id) return true;
  return isOpenToMembers(event) && viewer.roles.some((role) => role !== 'external');
}

export const isOpenToMembers = ({ registration_type }: Pick<MeetingEvent, 'registration_type'>): boolean =>
  registration_type === 'none' || registration_type === 'optional';

/** A place without its meeting link. */
export function withoutLink<P extends { location: { virtualLink?: string } | null }>(place: P): P {
  if (!place.location?.virtualLink) return place;
  const { virtualLink: _, ...location } = place.location;
  return { ...place, location };
}
