import { type Static, type TSchema, Type } from 'typebox';
import { fromKeys } from '../core/objects.ts';
import { clock, date, flag, line, nullable, oneOf, optional, stampOrNull, strict, webAddress } from '../core/schema.ts';
import { ROLES } from '../people/caller.ts';
import { CHANNELS } from '../people/channels.ts';
import { LOCALES } from '../people/contact.ts';
import { channels, email, id, zone } from '../people/schema.ts';
import { VISIBILITIES, type Visibility } from '../people/visibility.ts';
import { EVENT_TYPE_NAMES } from './event-types.ts';
import { LIMITS } from './limits.ts';

export const REGISTRATION_TYPES = ['none', 'optional', 'required', 'ticketed'] as const;
export const RECURRENCE_PATTERNS = ['none', 'daily', 'weekly', 'monthly', 'yearly'] as const;
export const AUDIENCES = ['all', 'students', 'parents', 'staff', 'external'] as const;
export const REMINDER_TYPES = CHANNELS;
export const QUESTION_TYPES = ['text', 'choice', 'consent'] as const;

export const EVENT_TYPE = oneOf(EVENT_TYPE_NAMES);
export const VISIBILITY = oneOf(Object.keys(VISIBILITIES) as Visibility[]);

const ids = (maxItems: number) => Type.Array(id, { maxItems });
const words = Type.Array(line(50), { maxItems: 20 });

export const RESTRICTION = {
  user_ids: optional({ ...ids(500), description: 'The user ids of the people.' }),
  roles: optional(Type.Array(oneOf(ROLES), { maxItems: ROLES.length })),
  class_ids: optional(ids(100)),
  grade_level_ids: optional(ids(100)),
  department_ids: optional(ids(100)),
};

export const COORDINATES = {
  latitude: Type.Number({ minimum: -90, maximum: 90, description: 'Degrees north.' }),
  longitude: Type.Number({ minimum: -180, maximum: 180, description: 'Degrees east.' }),
};

export const PLACE = {
  name: optional(line(200)),
  address: optional(line(500, { description: 'The street address.' })),
  room: optional(line(100, { description: 'The room.' })),
  building: optional(line(100, { description: 'The building.' })),
  capacity: optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'How many people fit into it.' })),
  isVirtual: flag('True if people take part online.'),
  virtualLink: optional({ ...webAddress, description: 'The link to the online meeting.' }),
  mapLink: optional({ ...webAddress, description: 'The address of a map.' }),
  coordinates: optional(strict(COORDINATES)),
};

export const ORGANIZED = {
  type: oneOf(['staff', 'department', 'organization']),
  name: optional(line(200)),
  email: optional(email),
};

const ATTACHMENT = strict({
  name: line(200),
  url: webAddress,
  mime_type: optional(line(127, { description: 'The media type, such as application/pdf.' })),
  size: optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'The size in bytes.' })),
});

const REMINDER = strict({
  type: oneOf(REMINDER_TYPES),
  offset: Type.Integer({ minimum: 5, maximum: 525_600, description: 'Minutes before the event.' }),
});

export const ACKNOWLEDGEMENT_REMINDER = {
  after_hours: Type.Integer({ minimum: 1, maximum: 168, description: 'Hours after the announcement.' }),
  channels: { ...channels, uniqueItems: true },
};

const QUESTION = strict({
  id: line(50, { description: 'Names the question in answers. Stays when its words change.' }),
  type: oneOf(QUESTION_TYPES, { description: '`consent` is a text that the person must agree to.' }),
  label: line(LIMITS.question, { description: 'The words of the question.' }),
  options: optional(
    Type.Array(line(100), { minItems: 2, maxItems: 20, uniqueItems: true, description: 'Of a choice.' }),
  ),
  required: Type.Boolean({ description: 'True if people must answer it to register.' }),
});

export const SLOTS = {
  length_minutes: Type.Integer({ minimum: 5, maximum: 240, description: 'How long one meeting takes.' }),
  break_minutes: optional(
    Type.Integer({ minimum: 0, maximum: 120, description: 'The time between two meetings; by default 0.' }),
  ),
  hosts: Type.Array(
    strict({ user_id: id, name: { ...line(200), description: 'The name that families and messages see.' } }),
    { minItems: 1, maxItems: 60, description: 'The teachers. Each meets one family at a time.' },
  ),
};

const description = nullable(Type.String({ maxLength: LIMITS.description }));

export const TRANSLATION = { title: line(LIMITS.title), description: optional(description) };

/** The same schema for each language. */
export const eachLanguage = <S extends TSchema>(schema: S) => fromKeys(LOCALES, () => schema);

/** @param initial the value of an event created without one; without `initial`, the field is required or derived from others */
const field = <S extends TSchema>(
  schema: S,
  description: string,
  initial?: Static<S>,
): S & { description: string } => ({
  ...schema,
  description,
  ...(initial === undefined ? {} : { default: initial }),
});

/**
 * The fields that people write when they create or edit an event, each with its limits and its default.
 * Type, validation, defaults, copies, sizes and the schemas of the API follow from this table.
 */
export const EVENT_FIELDS = {
  title: field(line(LIMITS.title), 'The title.'),
  event_type: field(EVENT_TYPE, 'The type of the event.'),
  start_date: field(date, 'The first day, YYYY-MM-DD.'),
  end_date: field(date, 'The last day, YYYY-MM-DD.'),
  start_time: field(nullable(clock), 'The time at which the event starts, HH:MM. Null for all-day events.'),
  end_time: field(nullable(clock), 'The time at which the event ends, HH:MM. Null for all-day events.'),
  timezone: field(zone, 'The IANA time zone, such as Europe/Prague.'),
  all_day: field(Type.Boolean(), 'True if the event lasts whole days and has no times.'),
  description: field(description, 'The description of the event.', null),
  translations: field(
    nullable(strict(eachLanguage(optional(strict(TRANSLATION))))),
    'Title and description in other languages, by language. Readers of a language get its texts, all others `title` and `description`.',
    null,
  ),
  visibility: field(VISIBILITY, 'Who can see the event.', 'internal'),
  restricted_to: field(nullable(strict(RESTRICTION)), 'The people and groups that the event is restricted to.', null),
  is_recurring: field(Type.Boolean(), 'True if the event repeats.'),
  recurrence_pattern: field(oneOf(RECURRENCE_PATTERNS), 'How often the event repeats.', 'none'),
  recurrence_end_date: field(nullable(date), 'The last possible date of the series.', null),
  recurrence_count: field(
    nullable(Type.Integer({ minimum: 1, maximum: 366 })),
    'How many occurrences the series has.',
    null,
  ),
  location_name: field(nullable(line(200)), 'The name of the place.', null),
  location: field(nullable(strict(PLACE)), 'The details of the place.', null),
  organizer_id: field(nullable(id), 'The user id of the organizer.'),
  organizer: field(nullable(strict(ORGANIZED)), 'Who organizes the event.', null),
  department_id: field(nullable(id), 'The department that the event belongs to.', null),
  class_id: field(nullable(id), 'The class that the event is for.', null),
  grade_level_ids: field(ids(100), 'The ids of the grades.', []),
  target_audience: field(
    Type.Array(oneOf(AUDIENCES), { maxItems: AUDIENCES.length, uniqueItems: true }),
    'The groups of people that are notified.',
    ['all'],
  ),
  is_free: field(Type.Boolean(), 'True if the event costs nothing.'),
  cost: field(nullable(Type.Number({ minimum: 0, maximum: 1_000_000_000 })), 'The price per person.', null),
  currency: field(nullable(Type.String({ format: 'currency' })), 'The currency of the price, such as CZK.', null),
  image_url: field(nullable(webAddress), 'The address of a picture.', null),
  banner_url: field(nullable(webAddress), 'The address of a wide picture.', null),
  attachments: field(Type.Array(ATTACHMENT, { maxItems: 20 }), 'Files and links of the event.', []),
  tags: field(words, 'The tags of the event.', []),
  categories: field(words, 'The categories of the event.', []),
  send_notifications: field(Type.Boolean(), 'False turns off the messages about this event.', true),
  asks_acknowledgement: field(
    Type.Boolean(),
    'True if the announcement asks its readers to confirm that they have read it.',
    false,
  ),
  acknowledgement_reminder: field(
    nullable(strict(ACKNOWLEDGEMENT_REMINDER)),
    'When and how people who have not confirmed are reminded, once, while the event has not begun. Of a series, its first date counts. Null: not automatically.',
    null,
  ),
  reminders: field(Type.Array(REMINDER, { maxItems: 10, uniqueItems: true }), 'The reminders of the event.', []),
  is_featured: field(Type.Boolean(), 'True if the event is featured.', false),
  is_active: field(Type.Boolean(), 'False hides the event without deleting it.', true),
  registration_type: field(oneOf(REGISTRATION_TYPES), 'Whether people register for the event.', 'none'),
  registration_deadline: field(stampOrNull, 'Until when people can register (RFC 3339).', null),
  max_attendees: field(
    nullable(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    'How many people can come. Null if there is no limit.',
    null,
  ),
  waitlist_enabled: field(Type.Boolean(), 'True if people can join a waitlist when the event is full.', false),
  requires_approval: field(Type.Boolean(), 'True if staff approve each registration.', false),
  registration_questions: field(
    Type.Array(QUESTION, { maxItems: 10 }),
    'What people answer when they register, in this order.',
    [],
  ),
  slots: field(
    nullable(strict(SLOTS)),
    'The meetings that families choose when they register for a parent-teacher meeting: from the start of the event to its end, the same with each host. Null if there are no times to choose.',
    null,
  ),
  registration_url: field(nullable(webAddress), 'The address of another registration form.', null),
};

export type EventFields = { [Name in keyof typeof EVENT_FIELDS]: Static<(typeof EVENT_FIELDS)[Name]> };
export type FieldName = keyof EventFields;
export const FIELD_NAMES = Object.keys(EVENT_FIELDS) as FieldName[];

/** The fields of the recurrence rule, which belong to the whole series. */
export const RULE_FIELDS = [
  'is_recurring',
  'recurrence_pattern',
  'recurrence_end_date',
  'recurrence_count',
] as const satisfies FieldName[];
export type RecurrenceRule = Pick<EventFields, (typeof RULE_FIELDS)[number]>;

/** A new event has these at least. */
export const REQUIRED_FIELDS = ['title', 'event_type', 'start_date', 'end_date'] as const satisfies FieldName[];

/** The input of a request to create an event. */
export type NewEvent = Partial<EventFields> & Pick<EventFields, (typeof REQUIRED_FIELDS)[number]>;

/** The default of a field, created anew with each call; undefined for a field that is required or derived from others. */
export const defaultOf = (name: FieldName): unknown =>
  structuredClone((EVENT_FIELDS[name] as { default?: unknown }).default);
