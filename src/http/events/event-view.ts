import type { Static } from 'typebox';
import { availableSpots, type SchoolEvent } from '../../events/event.ts';
import { actionsFor } from '../../events/rules/lifecycle.ts';
import { maySeeMeetingLink, withoutLink } from '../../events/rules/meeting.ts';
import type { Caller } from '../../people/caller.ts';
import { may } from '../../people/permissions.ts';
import { etagOf } from '../entity-tag.ts';
import type { Answer } from '../route.ts';
import type { EVENT } from './event-schema.ts';

type EventView = Static<typeof EVENT>;

/** The event as this caller may see it. Only callers who can edit it see `restricted_to`, because it names people. */
export const eventView = (
  event: SchoolEvent,
  caller: Caller,
  publicUrl: string,
  confirmed?: ReadonlySet<string>,
): EventView => eventViewFor(caller, publicUrl, confirmed)(event);

/**
 * The view for many events: checks the caller's permissions once. Assigns field by field, which V8 runs many times faster
 * than a spread.
 * @param confirmed ids of the events for which the caller's registration is confirmed, from `findConfirmed`
 */
export function eventViewFor(
  caller: Caller,
  publicUrl: string,
  confirmed: ReadonlySet<string> = new Set(),
): (event: SchoolEvent) => EventView {
  const editsAll = may(caller, 'update_event');
  const actions = actionsFor((permission) => may(caller, permission));
  return (event) => {
    const { allowed, refused } = actions(event);
    return {
      id: event.id,
      external_id: event.origin?.external_id ?? null,
      tenant_id: event.tenant_id,
      school_id: event.school_id,
      title: event.title,
      description: event.description,
      event_type: event.event_type,
      status: event.status,
      visibility: event.visibility,
      start_date: event.start_date,
      end_date: event.end_date,
      start_time: event.start_time,
      end_time: event.end_time,
      timezone: event.timezone,
      all_day: event.all_day,
      starts_at: event.starts_at,
      ends_at: event.ends_at,
      is_recurring: event.is_recurring,
      recurrence_pattern: event.recurrence_pattern,
      recurrence_end_date: event.recurrence_end_date,
      recurrence_count: event.recurrence_count,
      parent_event_id: event.parent_event_id,
      occurrence_date: event.occurrence_date,
      duplicated_from_id: event.duplicated_from_id,
      location_name: event.location_name,
      location: maySeeMeetingLink(caller, event, confirmed) ? event.location : withoutLink(event).location,
      organizer_id: event.organizer_id,
      organizer: event.organizer,
      department_id: event.department_id,
      class_id: event.class_id,
      grade_level_ids: event.grade_level_ids,
      target_audience: event.target_audience,
      is_free: event.is_free,
      cost: event.cost,
      currency: event.currency,
      image_url: event.image_url,
      banner_url: event.banner_url,
      attachments: event.attachments,
      tags: event.tags,
      categories: event.categories,
      send_notifications: event.send_notifications,
      reminders: event.reminders,
      is_featured: event.is_featured,
      is_active: event.is_active,
      registration_type: event.registration_type,
      registration_deadline: event.registration_deadline,
      max_attendees: event.max_attendees,
      current_attendees: event.current_attendees,
      waitlist_enabled: event.waitlist_enabled,
      requires_approval: event.requires_approval,
      registration_url: event.registration_url,
      publish_at: event.publish_at,
      published_at: event.published_at,
      cancelled_at: event.cancelled_at,
      cancellation_reason: event.cancellation_reason,
      postponed_to: event.postponed_to,
      postponement_reason: event.postponement_reason,
      sequence: event.sequence,
      created_by: event.created_by,
      created_at: event.created_at,
      updated_at: event.updated_at,
      restricted_to: editsAll || event.organizer_id === caller.user_id ? event.restricted_to : null,
      waitlist_count: event.waitlisted,
      available_spots: availableSpots(event),
      allowed_actions: allowed,
      refused_actions: refused,
      share_url: event.status === 'published' ? shareUrl(event, publicUrl) : null,
    };
  };
}

/** The address to share: a public event has a page that needs no sign-in. */
const shareUrl = ({ id, school_id, visibility }: SchoolEvent, publicUrl: string): string =>
  visibility === 'public'
    ? `${publicUrl}/public/${encodeURIComponent(school_id)}?event=${id}`
    : `${publicUrl}/events/${id}`;

/** The answer of every operation on one event: the whole event with its ETag. */
export function eventAnswer(
  { publicUrl }: { publicUrl: string },
  caller: Caller,
  event: SchoolEvent,
  {
    status = 200,
    headers = {},
    confirmed,
  }: { status?: number; headers?: Record<string, string>; confirmed?: ReadonlySet<string> } = {},
): Answer {
  return { status, body: eventView(event, caller, publicUrl, confirmed), headers: { etag: etagOf(event), ...headers } };
}
