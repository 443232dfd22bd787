import { Type } from 'typebox';
import { AUDIENCES, EVENT_STATUSES, RECURRENCE_PATTERNS, REGISTRATION_TYPES } from '../../events/event.ts';
import { ACTIONS, type Action } from '../../events/rules/lifecycle.ts';
import { nullable, oneOf, optional, stamp, stampOrNull } from '../schemas/fields.ts';
import {
  ATTACHMENT,
  EVENT_TYPE,
  LOCATION,
  ORGANIZER,
  REMINDER,
  RESTRICTED_TO,
  VISIBILITY,
} from './event-body-schema.ts';

const text = Type.String();
const textOrNull = nullable(Type.String());
const texts = Type.Array(Type.String());
const truth = Type.Boolean();
const whole = Type.Integer();

/** An event in the answer of every route. */
export const EVENT = Type.Object(
  {
    id: text,
    external_id: nullable(
      Type.String({
        description: 'The id of the event in the service that reports it. Null for events of this service.',
      }),
    ),
    tenant_id: text,
    school_id: text,
    title: text,
    description: textOrNull,
    event_type: EVENT_TYPE,
    status: oneOf(EVENT_STATUSES),
    visibility: VISIBILITY,
    restricted_to: nullable(RESTRICTED_TO),
    start_date: text,
    end_date: text,
    start_time: textOrNull,
    end_time: textOrNull,
    timezone: text,
    all_day: truth,
    starts_at: stamp,
    ends_at: stamp,
    is_recurring: truth,
    recurrence_pattern: oneOf(RECURRENCE_PATTERNS),
    recurrence_end_date: textOrNull,
    recurrence_count: nullable(whole),
    parent_event_id: textOrNull,
    occurrence_date: nullable(
      Type.String({
        description: 'The date that the series gave this occurrence, even if it was moved. Null outside a series.',
      }),
    ),
    duplicated_from_id: textOrNull,
    location_name: textOrNull,
    location: nullable(LOCATION),
    organizer_id: textOrNull,
    organizer: nullable(ORGANIZER),
    department_id: textOrNull,
    class_id: textOrNull,
    grade_level_ids: texts,
    target_audience: Type.Array(oneOf(AUDIENCES)),
    is_free: truth,
    cost: nullable(Type.Number()),
    currency: textOrNull,
    image_url: textOrNull,
    banner_url: textOrNull,
    attachments: Type.Array(ATTACHMENT),
    tags: texts,
    categories: texts,
    send_notifications: truth,
    reminders: Type.Array(REMINDER),
    registration_type: oneOf(REGISTRATION_TYPES),
    registration_deadline: stampOrNull,
    registration_url: textOrNull,
    requires_approval: truth,
    max_attendees: nullable(whole),
    current_attendees: whole,
    available_spots: nullable(whole),
    waitlist_enabled: truth,
    waitlist_count: whole,
    is_featured: truth,
    is_active: truth,
    publish_at: stampOrNull,
    published_at: stampOrNull,
    cancelled_at: stampOrNull,
    cancellation_reason: textOrNull,
    postponed_to: stampOrNull,
    postponement_reason: textOrNull,
    sequence: Type.Integer({ description: 'Grows with every change that people are notified about (RFC 5545).' }),
    created_by: textOrNull,
    created_at: stamp,
    updated_at: stamp,
    allowed_actions: Type.Array(oneOf(Object.keys(ACTIONS) as Action[])),
    refused_actions: Type.Object(
      Object.fromEntries(Object.keys(ACTIONS).map((action) => [action, optional(text)])) as Record<
        Action,
        ReturnType<typeof optional<typeof text>>
      >,
      { description: 'The actions that are not possible now, each with the reason.' },
    ),
    share_url: textOrNull,
  },
  { $id: 'Event' },
);
