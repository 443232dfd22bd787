import { childrenOf, type Viewer } from '../people/visibility.ts';
import { type ConfirmedEvents, type Met, showsMeeting, withoutLink } from './rules/meeting.ts';

const NONE: ReadonlySet<string> = new Set();

/** Finds for which of the events a viewer is confirmed; asks the store only where a meeting link depends on it. */
export async function confirmedAmong(
  deps: { registrations: { confirmedEvents: ConfirmedEvents } },
  viewer: Viewer,
  events: readonly Met[],
): Promise<ReadonlySet<string>> {
  const asked = events.filter((event) => event.location?.virtualLink && !showsMeeting(viewer, event, NONE));
  if (viewer.user_id === null || asked.length === 0) return NONE;
  const children = childrenOf(viewer).flatMap((child) => (typeof child === 'string' ? child : (child.user_id ?? [])));
  return deps.registrations.confirmedEvents(
    viewer,
    asked.map(({ id }) => id),
    [...new Set([viewer.user_id, ...children])],
  );
}

/** The events as a viewer is shown them: without the meeting links that are not for them. */
export async function withMeetings<E extends Met>(
  deps: { registrations: { confirmedEvents: ConfirmedEvents } },
  viewer: Viewer,
  events: readonly E[],
): Promise<E[]> {
  const confirmed = await confirmedAmong(deps, viewer, events);
  return events.map((event) => (showsMeeting(viewer, event, confirmed) ? event : withoutLink(event)));
}
