import { childrenOf, type Viewer } from '../people/visibility.ts';
import { type ConfirmedEvents, type MeetingEvent, maySeeMeetingLink, withoutLink } from './rules/meeting.ts';

const NONE: ReadonlySet<string> = new Set();

/** Finds the events for which a viewer, or a child, is confirmed. Queries only events whose meeting link depends on it. */
export async function findConfirmed(
  deps: { registrations: { confirmedEvents: ConfirmedEvents } },
  viewer: Viewer,
  events: readonly MeetingEvent[],
): Promise<ReadonlySet<string>> {
  const asked = events.filter((event) => event.location?.virtualLink && !maySeeMeetingLink(viewer, event, NONE));
  if (viewer.user_id === null || asked.length === 0) return NONE;
  const children = childrenOf(viewer).flatMap((child) => (typeof child === 'string' ? child : (child.user_id ?? [])));
  return deps.registrations.confirmedEvents(
    viewer,
    asked.map(({ id }) => id),
    [...new Set([viewer.user_id, ...children])],
  );
}

/** The events as the viewer may see them: without meeting links that are not for them. */
export async function withAllowedLinks<E extends MeetingEvent>(
  deps: { registrations: { confirmedEvents: ConfirmedEvents } },
  viewer: Viewer,
  events: readonly E[],
): Promise<E[]> {
  const confirmed = await findConfirmed(deps, viewer, events);
  return events.map((event) => (maySeeMeetingLink(viewer, event, confirmed) ? event : withoutLink(event)));
}
