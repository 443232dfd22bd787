import { mapBy } from '../core/groups.ts';
import type { Scope } from '../people/caller.ts';
import { childIdsOf, isMember, type Viewer } from '../people/visibility.ts';
import type { SchoolEvent } from './event.ts';

/** The parts of an event that decide who may see its meeting link. */
type MeetingEvent = Pick<SchoolEvent, 'id' | 'organizer_id' | 'registration_type' | 'location'>;

/** The statuses of registrations that have not ended. */
export const ACTIVE_STATUSES = ['pending', 'confirmed', 'waitlisted'] as const;

/** An active registration of a person for an event. */
export type ActiveRegistration = { event_id: string; user_id: string; status: (typeof ACTIVE_STATUSES)[number] };

/** Finds the active registrations of these people, for these events or any, in one query and in no order. */
export type FindActiveRegistrations = (
  scope: Scope,
  user_ids: readonly string[],
  event_ids?: readonly string[],
) => Promise<ActiveRegistration[]>;

/**
 * Whether a viewer of an event may see its meeting link: the organizer, staff who may edit events, confirmed people, and if
 * no registration is needed all members of the school.
 * @param confirmed ids of the events for which the viewer, or a child of theirs, is confirmed
 */
export function maySeeMeetingLink(viewer: Viewer, event: MeetingEvent, confirmed: ReadonlySet<string>): boolean {
  if (viewer.permissions?.includes('events.update') || confirmed.has(event.id)) return true;
  if (viewer.user_id !== null && viewer.user_id === event.organizer_id) return true;
  return isOpenToMembers(event) && isMember(viewer);
}

export const isOpenToMembers = ({ registration_type }: Pick<MeetingEvent, 'registration_type'>): boolean =>
  registration_type === 'none' || registration_type === 'optional';

/** A place without its meeting link. */
export function withoutLink<P extends { location: { virtualLink?: string } | null }>(place: P): P {
  if (!place.location?.virtualLink) return place;
  const { virtualLink: _, ...location } = place.location;
  return { ...place, location };
}

export type FamilyDeps = { registrations: { findActive: FindActiveRegistrations } };

/** An active registration for an event that is known already. */
export type FamilyRegistration = Pick<ActiveRegistration, 'user_id' | 'status'>;

const NONE: ReadonlySet<string> = new Set();

/** Finds the active registrations of a viewer and their children, by event, in one query. */
export async function findFamilyRegistrations(
  deps: FamilyDeps,
  viewer: Viewer,
): Promise<ReadonlyMap<string, FamilyRegistration[]>> {
  if (viewer.user_id === null) return new Map();
  const family = [...new Set([viewer.user_id, ...childIdsOf(viewer)])];
  const found = await deps.registrations.findActive(viewer, family);
  const shown = ({ user_id, status }: ActiveRegistration): FamilyRegistration => ({ user_id, status });
  return new Map([...mapBy(found, ({ event_id }) => [event_id])].map(([id, group]) => [id, group.map(shown)]));
}

/** Finds the events for which a viewer, or a child, is confirmed. Queries only if a meeting link depends on it. */
export async function findConfirmed(
  deps: FamilyDeps,
  viewer: Viewer,
  events: readonly MeetingEvent[],
): Promise<ReadonlySet<string>> {
  if (!events.some((event) => event.location?.virtualLink && !maySeeMeetingLink(viewer, event, NONE))) return NONE;
  const found = await findFamilyRegistrations(deps, viewer);
  const isConfirmed = (all: readonly FamilyRegistration[]) => all.some(({ status }) => status === 'confirmed');
  return new Set([...found].flatMap(([id, all]) => (isConfirmed(all) ? id : [])));
}

/** The events as the viewer may see them: without meeting links that are not for them. */
export async function removeHiddenLinks<E extends MeetingEvent>(
  deps: FamilyDeps,
  viewer: Viewer,
  events: readonly E[],
): Promise<E[]> {
  const confirmed = await findConfirmed(deps, viewer, events);
  return events.map((event) => (maySeeMeetingLink(viewer, event, confirmed) ? event : withoutLink(event)));
}
