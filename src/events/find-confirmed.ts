import { mapBy } from '../core/groups.ts';
import { childrenOf, type Viewer } from '../people/visibility.ts';
import {
  type ActiveRegistration,
  type FindActiveRegistrations,
  type MeetingEvent,
  maySeeMeetingLink,
  withoutLink,
} from './rules/meeting.ts';

type Deps = { registrations: { findActive: FindActiveRegistrations } };

/** An active registration for an event that is known already. */
export type FamilyRegistration = Pick<ActiveRegistration, 'user_id' | 'status'>;

const NONE: ReadonlySet<string> = new Set();

/** Finds the active registrations of a viewer and their children, by event, in one query. */
export async function findFamilyRegistrations(
  deps: Deps,
  viewer: Viewer,
): Promise<ReadonlyMap<string, FamilyRegistration[]>> {
  if (viewer.user_id === null) return new Map();
  const children = childrenOf(viewer).flatMap((child) => (typeof child === 'string' ? child : (child.user_id ?? [])));
  const found = await deps.registrations.findActive(viewer, [...new Set([viewer.user_id, ...children])]);
  const shown = ({ user_id, status }: ActiveRegistration): FamilyRegistration => ({ user_id, status });
  return new Map([...mapBy(found, ({ event_id }) => [event_id])].map(([id, group]) => [id, group.map(shown)]));
}

/** Finds the events for which a viewer, or a child, is confirmed. Queries only if a meeting link depends on it. */
export async function findConfirmed(
  deps: Deps,
  viewer: Viewer,
  events: readonly MeetingEvent[],
): Promise<ReadonlySet<string>> {
  if (!events.some((event) => event.location?.virtualLink && !maySeeMeetingLink(viewer, event, NONE))) return NONE;
  const found = await findFamilyRegistrations(deps, viewer);
  const isConfirmed = (all: readonly FamilyRegistration[]) => all.some(({ status }) => status === 'confirmed');
  return new Set([...found].flatMap(([id, all]) => (isConfirmed(all) ? id : [])));
}

/** The events as the viewer may see them: without meeting links that are not for them. */
export async function withAllowedLinks<E extends MeetingEvent>(
  deps: Deps,
  viewer: Viewer,
  events: readonly E[],
): Promise<E[]> {
  const confirmed = await findConfirmed(deps, viewer, events);
  return events.map((event) => (maySeeMeetingLink(viewer, event, confirmed) ? event : withoutLink(event)));
}
