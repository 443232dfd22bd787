import type { Static } from 'typebox';
import { availableSpots, type SchoolEvent } from '../events/event.ts';
import { allowedActions, refusedActions } from '../events/lifecycle.ts';
import type { Caller } from '../people/caller.ts';
import { may, type Permission } from '../people/permissions.ts';
import { etagOf } from './entity-tag.ts';
import type { Answer } from './route.ts';
import type { EVENT } from './schemas/event.ts';

/** An event as this caller may see it. Who it is restricted to is told to those who edit it, as it names people. */
export function eventView(event: SchoolEvent, caller: Caller, publicUrl: string): Static<typeof EVENT> {
  const { last_waitlist_number, deleted_at, version, schedule_version, waitlisted, restricted_to, ...more } = event;
  const { change_version, untold_change, detached, origin, ...fields } = more;
  const permitted = (permission: Permission) => may(caller, permission);
  const edits = may(caller, 'update_event') || event.organizer_id === caller.user_id;
  return {
    ...fields,
    external_id: origin?.external_id ?? null,
    restricted_to: edits ? restricted_to : null,
    waitlist_count: waitlisted,
    available_spots: availableSpots(event),
    allowed_actions: allowedActions(event, permitted),
    refused_actions: refusedActions(event, permitted),
    share_url: event.status === 'published' ? shareUrl(event, publicUrl) : null,
  };
}

/** What is for everyone is shared at a page that asks nobody who they are. */
const shareUrl = ({ id, school_id, visibility }: SchoolEvent, publicUrl: string): string =>
  visibility === 'public'
    ? `${publicUrl}/public/${encodeURIComponent(school_id)}?event=${id}`
    : `${publicUrl}/events/${id}`;

/** The answer of every operation on one event: the whole of it, with its ETag. */
export function eventAnswer(
  { publicUrl }: { publicUrl: string },
  caller: Caller,
  event: SchoolEvent,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Answer {
  return { status, body: eventView(event, caller, publicUrl), headers: { etag: etagOf(event), ...headers } };
}
