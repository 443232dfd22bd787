import { groupBy } from '../core/groups.ts';
import { childrenOf, type Viewer } from '../people/visibility.ts';
import {
  type FindHeldPlaces,
  type HeldPlace,
  type MeetingEvent,
  maySeeMeetingLink,
  withoutLink,
} from './rules/meeting.ts';

type Deps = { registrations: { heldPlaces: FindHeldPlaces } };

/** A place at an event that is known already. */
export type Place = Pick<HeldPlace, 'user_id' | 'status'>;

const NONE: ReadonlySet<string> = new Set();

/** Finds the active registrations of a viewer and their children, by event, in one query. */
export async function findFamilyPlaces(deps: Deps, viewer: Viewer): Promise<ReadonlyMap<string, Place[]>> {
  if (viewer.user_id === null) return new Map();
  const children = childrenOf(viewer).flatMap((child) => (typeof child === 'string' ? child : (child.user_id ?? [])));
  const places = await deps.registrations.heldPlaces(viewer, [...new Set([viewer.user_id, ...children])]);
  const placeOf = ({ user_id, status }: HeldPlace): Place => ({ user_id, status });
  const byEvent = groupBy(places, ({ event_id }) => event_id);
  return new Map(byEvent.map((held) => [held[0]?.event_id ?? '', held.map(placeOf)]));
}

/** Finds the events for which a viewer, or a child, is confirmed. Queries only if a meeting link depends on it. */
export async function findConfirmed(
  deps: Deps,
  viewer: Viewer,
  events: readonly MeetingEvent[],
): Promise<ReadonlySet<string>> {
  if (!events.some((event) => event.location?.virtualLink && !maySeeMeetingLink(viewer, event, NONE))) return NONE;
  const places = await findFamilyPlaces(deps, viewer);
  const isConfirmed = (held: readonly Place[]) => held.some(({ status }) => status === 'confirmed');
  return new Set([...places].flatMap(([id, held]) => (isConfirmed(held) ? id : [])));
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
