import type { Scope } from '../../people/caller.ts';
import type { Viewer } from '../../people/visibility.ts';
import type { SchoolEvent } from '../event.ts';

/** What of an event decides who is told its meeting link. */
export type Met = Pick<SchoolEvent, 'id' | 'organizer_id' | 'registration_type' | 'location'>;

/** Finds the events among these for which one of these people is confirmed. */
export type ConfirmedEvents = (
  scope: Scope,
  event_ids: readonly string[],
  user_ids: readonly string[],
) => Promise<ReadonlySet<string>>;

/**
 * Whether a viewer who sees an event is told its meeting link: the organizer, staff who may edit the event, and who is
 * confirmed for it; members of the school also where nobody has to register.
 * @param confirmed ids of the events for which the viewer, or a child of theirs, is confirmed
 */
export function showsMeeting(viewer: Viewer, event: Met, confirmed: ReadonlySet<string>): boolean {
  if (viewer.permissions?.includes('events.update') || confirmed.has(event.id)) return true;
  if (viewer.user_id !== null && viewer.user_id === event.organizer_id) return true;
  return isOpenToMembers(event) && viewer.roles.some((role) => role !== 'external');
}

export const isOpenToMembers = ({ registration_type }: Pick<Met, 'registration_type'>): boolean =>
  registration_type === 'none' || registration_type === 'optional';

/** The place without the meeting link. */
export function withoutLink<P extends { location: { virtualLink?: string } | null }>(place: P): P {
  if (!place.location?.virtualLink) return place;
  const { virtualLink: _, ...location } = place.location;
  return { ...place, location };
}
