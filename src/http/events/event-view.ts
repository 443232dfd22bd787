import type { Static } from 'typebox';
import type { Clock } from '../../core/clock.ts';
import type { Refusal } from '../../core/errors.ts';
import { availableSpots, type SchoolEvent } from '../../events/event.ts';
import { type Action, type Actions, actionsFor } from '../../events/rules/lifecycle.ts';
import { maySeeMeetingLink, withoutLink } from '../../events/rules/meeting.ts';
import type { Caller } from '../../people/caller.ts';
import { may } from '../../people/permissions.ts';
import { type Admission, admit } from '../../registrations/admission.ts';
import { etagOf } from '../entity-tag.ts';
import type { Answer } from '../route.ts';
import { EVENT } from './event-schema.ts';

type EventView = Static<typeof EVENT>;
type ViewDeps = { publicUrl: string; clock: Clock };

/** The event as this caller may see it. Only callers who can edit it see `restricted_to`, because it names people. */
export const eventView = (
  event: SchoolEvent,
  caller: Caller,
  deps: ViewDeps,
  confirmed?: ReadonlySet<string>,
): EventView => eventViewFor(caller, deps, confirmed)(event);

/**
 * The view for many events: checks the caller's permissions once. Keeps what the schema of the answer doesn't name, because
 * the serializer leaves it out.
 * @param confirmed ids of the events for which the caller's registration is confirmed, from `findConfirmed`
 */
export function eventViewFor(
  caller: Caller,
  { publicUrl, clock }: ViewDeps,
  confirmed: ReadonlySet<string> = new Set(),
): (event: SchoolEvent) => EventView {
  const editsAll = may(caller, 'update_event');
  const actions = actionsFor(caller);
  const now = clock.now();
  return (event) => {
    const { allowed, refused } = actions(event);
    return {
      ...event,
      external_id: event.origin?.external_id ?? null,
      location: maySeeMeetingLink(caller, event, confirmed) ? event.location : withoutLink(event).location,
      restricted_to: editsAll || event.organizer_id === caller.user_id ? event.restricted_to : null,
      waitlist_count: event.waitlisted,
      available_spots: availableSpots(event),
      ...withRegistering(admit(event, now), allowed, refused),
      share_url: event.status === 'published' ? shareUrl(event, publicUrl) : null,
    };
  };
}

/** Adds whether the event takes a registration of this reader now, or of a child. */
const withRegistering = (admission: Admission | Refusal, allowed: Action[], refused: Actions['refused']) => ({
  allowed_actions: 'status' in admission ? [...allowed, 'register' as const] : allowed,
  refused_actions: 'status' in admission ? refused : { ...refused, register: admission.detail },
});

/** The properties that an answer shows, for answers that are written as plain JSON. */
export const shownProperties = (view: EventView): EventView =>
  Object.fromEntries(Object.keys(EVENT.properties).map((name) => [name, view[name as keyof EventView]])) as EventView;

/** The address to share: a public event has a page that needs no sign-in. */
const shareUrl = ({ id, school_id, visibility }: SchoolEvent, publicUrl: string): string =>
  visibility === 'public'
    ? `${publicUrl}/public/${encodeURIComponent(school_id)}?event=${id}`
    : `${publicUrl}/events/${id}`;

/** The answer of every operation on one event: the whole event with its ETag. */
export function eventAnswer(
  deps: ViewDeps,
  caller: Caller,
  event: SchoolEvent,
  {
    status = 200,
    headers = {},
    confirmed,
  }: { status?: number; headers?: Record<string, string>; confirmed?: ReadonlySet<string> } = {},
): Answer {
  return { status, body: eventView(event, caller, deps, confirmed), headers: { etag: etagOf(event), ...headers } };
}
