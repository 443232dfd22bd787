import type { SchoolEvent } from '../../events/event.ts';
import { recurrenceIdOf } from '../../events/rules/recurrence.ts';
import type { EventRow } from './event-row.ts';

/**
 * The event of a row, for those who only show many of them: field by field, since what the driver makes of a document is
 * slow to copy in any other way (five times). A field this code does not know is left out, so what is written back goes
 * through `eventOf`.
 */
export function shownEventOf(row: EventRow): SchoolEvent {
  const event: SchoolEvent = {
    id: row._id,
    tenant_id: row.tenant_id,
    school_id: row.school_id,
    title: row.title,
    description: row.description,
    event_type: row.event_type,
    status: row.status,
    visibility: row.visibility,
    restricted_to: row.restricted_to,
    start_date: row.start_date,
    end_date: row.end_date,
    start_time: row.start_time,
    end_time: row.end_time,
    timezone: row.timezone,
    all_day: row.all_day,
    starts_at: row.starts_at,
    ends_at: row.ends_at,
    tz_version: row.tz_version,
    is_recurring: row.is_recurring,
    recurrence_pattern: row.recurrence_pattern,
    recurrence_end_date: row.recurrence_end_date,
    recurrence_count: row.recurrence_count,
    parent_event_id: row.parent_event_id,
    occurrence_date: row.occurrence_date,
    recurrence_id: row.recurrence_id ?? recurrenceIdOf(row),
    detached: row.detached,
    duplicated_from_id: row.duplicated_from_id,
    location_name: row.location_name,
    location: row.location,
    organizer_id: row.organizer_id,
    organizer: row.organizer,
    department_id: row.department_id,
    class_id: row.class_id,
    grade_level_ids: row.grade_level_ids,
    target_audience: row.target_audience,
    is_free: row.is_free,
    cost: row.cost,
    currency: row.currency,
    image_url: row.image_url,
    banner_url: row.banner_url,
    attachments: row.attachments,
    tags: row.tags,
    categories: row.categories,
    send_notifications: row.send_notifications,
    reminders: row.reminders,
    is_featured: row.is_featured,
    is_active: row.is_active,
    registration_type: row.registration_type,
    registration_deadline: row.registration_deadline,
    max_attendees: row.max_attendees,
    current_attendees: row.current_attendees,
    waitlisted: row.waitlisted,
    last_waitlist_number: row.last_waitlist_number,
    waitlist_enabled: row.waitlist_enabled,
    requires_approval: row.requires_approval,
    registration_url: row.registration_url,
    publish_at: row.publish_at,
    published_at: row.published_at,
    cancelled_at: row.cancelled_at,
    cancellation_reason: row.cancellation_reason,
    postponed_to: row.postponed_to,
    postponement_reason: row.postponement_reason,
    version: row.version,
    sequence: row.sequence,
    schedule_version: row.schedule_version,
    change_version: row.change_version,
    untold_change: row.untold_change,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
    deleted_at: row.deleted_at,
  };
  if (row.origin !== undefined) event.origin = row.origin;
  return event;
}

/** The names of all fields that `shownEventOf` reads of a row. */
export const SHOWN_FIELDS = [...Object.keys(shownEventOf({} as EventRow)).filter((name) => name !== 'id'), 'origin'];
