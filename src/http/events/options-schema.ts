import { Type } from 'typebox';
import { EVENT_STATUSES } from '../../events/event.ts';
import {
  AUDIENCES,
  EVENT_TYPE,
  RECURRENCE_PATTERNS,
  REGISTRATION_TYPES,
  REMINDER_TYPES,
  VISIBILITY,
} from '../../events/event-fields.ts';
import { LIMITS } from '../../events/limits.ts';
import { SCOPES } from '../../events/rules/series/recurrence.ts';
import { FILE_USES, type FileUse } from '../../files/ports.ts';
import { CHANNELS } from '../../notifications/policy/trigger.ts';
import { ROLES } from '../../people/caller.ts';
import { VISIBILITIES, type Visibility } from '../../people/visibility.ts';
import { ADDRESSED } from '../../registrations/message.ts';
import { REGISTRATION_KINDS, REGISTRATION_STATUSES } from '../../registrations/registration.ts';
import { named, nullable, oneOf } from '../schemas/fields.ts';

const text = Type.String();
const textOrNull = nullable(text);
const truth = Type.Boolean();
const whole = Type.Integer();
const ENDINGS = Type.Array(text, { description: 'The endings of names of files that can be uploaded for this use.' });
const wholeOrNull = nullable(whole);
const audience = oneOf(AUDIENCES);

export const OPTIONS = named('EventOptions', {
  event_types: Type.Array(
    Type.Object({
      value: EVENT_TYPE,
      meaning: Type.String({ description: 'What the value means.' }),
      icon: text,
      color: textOrNull,
      duration: nullable(Type.Integer({ description: 'The suggested duration in minutes. Null: all day.' })),
      all_day: truth,
      suggested_titles: Type.Array(text, { description: 'Suggested titles.' }),
      suggested_start_time: nullable(Type.String({ description: 'The suggested start time.' })),
      suggested_end_time: nullable(Type.String({ description: 'The suggested end time.' })),
      suggested_audience: Type.Array(audience, { description: 'The groups that such an event usually invites.' }),
    }),
  ),
  visibility: Type.Array(
    Type.Object({ value: oneOf(Object.keys(VISIBILITIES) as Visibility[]), icon: text, seen_by: text }),
  ),
  statuses: Type.Array(oneOf(EVENT_STATUSES)),
  registration_types: Type.Array(
    Type.Object({
      value: oneOf(REGISTRATION_TYPES),
      needs_deadline: Type.Boolean({ description: 'True if this type needs a registration deadline.' }),
      needs_capacity: Type.Boolean({ description: 'True if this type needs a capacity.' }),
      needs_cost: Type.Boolean({ description: 'True if this type needs a price.' }),
    }),
  ),
  registration_kinds: Type.Array(oneOf(REGISTRATION_KINDS), { description: 'The kinds of registrations.' }),
  registration_statuses: Type.Array(oneOf(REGISTRATION_STATUSES), {
    description: 'The statuses of registrations, in the order of work.',
  }),
  message_statuses: Type.Array(oneOf(ADDRESSED, { description: 'Registrations with this status can get a message.' })),
  message_channels: Type.Array(oneOf(CHANNELS), { description: 'The channels of a message to registered people.' }),
  edit_scopes: Type.Array(oneOf(SCOPES, { description: 'The occurrences of a series that an edit can change.' })),
  limits: Type.Object(
    Object.fromEntries(Object.keys(LIMITS).map((name) => [name, whole])) as Record<keyof typeof LIMITS, typeof whole>,
    { description: 'Maximum lengths of texts in characters, and how many registrations one request can cancel.' },
  ),
  uploads: Type.Object({
    max_bytes: Type.Integer({ description: 'The limit of an uploaded file.' }),
    endings: Type.Object(
      Object.fromEntries(FILE_USES.map((use) => [use, ENDINGS])) as Record<FileUse, typeof ENDINGS>,
      { description: 'The kinds of files that can be uploaded.' },
    ),
    address: Type.String({ description: 'A regular expression that matches the address of an uploaded file.' }),
  }),
  recurrence_patterns: Type.Array(Type.Object({ value: oneOf(RECURRENCE_PATTERNS), suggested_count: wholeOrNull })),
  reminder_types: Type.Array(oneOf(REMINDER_TYPES), { description: 'The channels of reminders.' }),
  reminder_offsets: Type.Array(Type.Integer({ description: 'Minutes before the event.' })),
  target_audience: Type.Array(audience),
  roles: Type.Array(oneOf(ROLES, { description: 'A role that an event can be restricted to.' })),
  defaults: Type.Object({
    event_type: EVENT_TYPE,
    visibility: VISIBILITY,
    registration_type: oneOf(REGISTRATION_TYPES),
    recurrence_pattern: oneOf(RECURRENCE_PATTERNS),
    start_date: Type.String({ description: 'Tomorrow in the school’s time zone.' }),
    end_date: text,
    all_day: truth,
    is_free: truth,
    is_featured: truth,
    is_active: truth,
    organizer_id: nullable(Type.String({ description: 'Your user id.' })),
    send_notifications: truth,
    asks_acknowledgement: truth,
    waitlist_enabled: truth,
    requires_approval: truth,
    target_audience: Type.Array(audience),
    start_time: textOrNull,
    end_time: textOrNull,
    duration: Type.Integer({ description: 'The duration in minutes.' }),
    timezone: text,
  }),
});
