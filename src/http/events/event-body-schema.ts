import { type Static, type TSchema, Type } from 'typebox';
import { AUDIENCES, RECURRENCE_PATTERNS, REGISTRATION_TYPES, REMINDER_TYPES } from '../../events/event.ts';
import { EVENT_TYPES, type EventType } from '../../events/rules/event-types.ts';
import { ROLES } from '../../people/caller.ts';
import { VISIBILITIES, type Visibility } from '../../people/visibility.ts';
import {
  clock,
  date,
  email,
  id,
  instant,
  line,
  nullable,
  oneOf,
  optional,
  strict,
  webAddress,
  zone,
} from '../schemas/fields.ts';
import { LIMITS } from '../schemas/limits.ts';

export const EVENT_TYPE = oneOf(Object.keys(EVENT_TYPES) as EventType[]);
export const VISIBILITY = oneOf(Object.keys(VISIBILITIES) as Visibility[]);

const ids = (maxItems: number) => Type.Array(id, { maxItems });
const words = Type.Array(line(50), { maxItems: 20 });

const RESTRICTION = {
  user_ids: optional(ids(500)),
  roles: optional(Type.Array(oneOf(ROLES), { maxItems: ROLES.length })),
  class_ids: optional(ids(100)),
  grade_level_ids: optional(ids(100)),
  department_ids: optional(ids(100)),
};
export const RESTRICTED_TO = strict(RESTRICTION);

const COORDINATES = {
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
};

const PLACE = {
  name: optional(line(200)),
  address: optional(line(500)),
  room: optional(line(100)),
  building: optional(line(100)),
  capacity: optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  isVirtual: optional(Type.Boolean()),
  virtualLink: optional(webAddress),
  mapLink: optional(webAddress),
  coordinates: optional(strict(COORDINATES)),
};
export const LOCATION = strict(PLACE);

const ORGANIZED = {
  type: oneOf(['staff', 'department', 'organization']),
  name: optional(line(200)),
  email: optional(email),
};
export const ORGANIZER = strict(ORGANIZED);

export const ATTACHMENT = strict({
  name: line(200),
  url: webAddress,
  mime_type: optional(line(127)),
  size: optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'The size in bytes.' })),
});

export const REMINDER = strict({
  type: oneOf(REMINDER_TYPES),
  offset: Type.Integer({ minimum: 5, maximum: 525_600, description: 'Minutes before the event.' }),
});

/** The fields that a client can set when it creates or edits an event, with their limits. */
export const EVENT_FIELDS = {
  title: line(LIMITS.title),
  event_type: EVENT_TYPE,
  start_date: date,
  end_date: date,
  description: optional(nullable(Type.String({ maxLength: LIMITS.description }))),
  visibility: optional(VISIBILITY),
  restricted_to: optional(nullable(RESTRICTED_TO)),
  start_time: optional(nullable(clock)),
  end_time: optional(nullable(clock)),
  timezone: optional(zone),
  all_day: optional(Type.Boolean()),
  is_recurring: optional(Type.Boolean()),
  recurrence_pattern: optional(oneOf(RECURRENCE_PATTERNS)),
  recurrence_end_date: optional(nullable(date)),
  recurrence_count: optional(nullable(Type.Integer({ minimum: 1, maximum: 366 }))),
  location_name: optional(nullable(line(200))),
  location: optional(nullable(LOCATION)),
  organizer_id: optional(nullable(id)),
  organizer: optional(nullable(ORGANIZER)),
  department_id: optional(nullable(id)),
  class_id: optional(nullable(id)),
  grade_level_ids: optional(ids(100)),
  target_audience: optional(Type.Array(oneOf(AUDIENCES), { maxItems: AUDIENCES.length, uniqueItems: true })),
  is_free: optional(Type.Boolean()),
  cost: optional(nullable(Type.Number({ minimum: 0, maximum: 1_000_000_000 }))),
  currency: optional(nullable(Type.String({ format: 'currency' }))),
  image_url: optional(nullable(webAddress)),
  banner_url: optional(nullable(webAddress)),
  attachments: optional(Type.Array(ATTACHMENT, { maxItems: 20 })),
  tags: optional(words),
  categories: optional(words),
  send_notifications: optional(Type.Boolean()),
  reminders: optional(Type.Array(REMINDER, { maxItems: 10, uniqueItems: true })),
  is_featured: optional(Type.Boolean()),
  is_active: optional(Type.Boolean()),
  registration_type: optional(oneOf(REGISTRATION_TYPES)),
  registration_deadline: optional(nullable(instant)),
  max_attendees: optional(nullable(Type.Integer({ minimum: 1, maximum: 1_000_000 }))),
  waitlist_enabled: optional(Type.Boolean()),
  requires_approval: optional(Type.Boolean()),
  registration_url: optional(nullable(webAddress)),
};

export const NEW_EVENT = strict(EVENT_FIELDS, {
  examples: [
    {
      title: 'Autumn concert',
      event_type: 'cultural',
      start_date: '2026-10-16',
      end_date: '2026-10-16',
      start_time: '18:00',
      end_time: '19:30',
      location_name: 'Great hall',
      registration_type: 'required',
      max_attendees: 120,
      registration_deadline: '2026-10-14T18:00:00+02:00',
      waitlist_enabled: true,
      reminders: [{ type: 'email', offset: 1440 }],
    },
  ],
});
export type NewEventBody = Static<typeof NEW_EVENT>;

/** An object whose members a merge patch can clear. */
const clearable = (members: Record<string, TSchema>) =>
  nullable(
    strict(Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, optional(nullable(schema))]))),
  );

const { location, organizer, restricted_to, ...FLAT } = EVENT_FIELDS;
const LISTS = ['grade_level_ids', 'target_audience', 'attachments', 'tags', 'categories', 'reminders'];

/** Fields that only the service sets. An edit that names one of them gets an error that says so. */
export const READ_ONLY_FIELDS = [
  'id',
  'external_id',
  'tenant_id',
  'school_id',
  'status',
  'parent_event_id',
  'occurrence_date',
  'duplicated_from_id',
  'starts_at',
  'ends_at',
  'current_attendees',
  'available_spots',
  'waitlist_count',
  'publish_at',
  'created_at',
  'updated_at',
  'published_at',
  'cancelled_at',
  'cancellation_reason',
  'postponed_to',
  'postponement_reason',
  'version',
  'sequence',
  'created_by',
  'allowed_actions',
  'refused_actions',
  'share_url',
];

/** A merge patch (RFC 7396): every field may be left out, null clears what can be empty, objects are merged into. */
export const EVENT_PATCH = strict(
  {
    ...Object.fromEntries(
      Object.entries(FLAT as Record<string, TSchema>).map(([name, schema]) => [
        name,
        optional(LISTS.includes(name) ? nullable(schema) : schema),
      ]),
    ),
    location: optional(clearable({ ...PLACE, coordinates: clearable(COORDINATES) })),
    organizer: optional(clearable(ORGANIZED)),
    restricted_to: optional(clearable(RESTRICTION)),
  },
  {
    'x-read-only': READ_ONLY_FIELDS,
    examples: [{ start_time: '17:00', end_time: '18:30', location: { room: 'Aula', building: null } }],
  },
);
