import { Type } from 'typebox';
import {
  AUDIENCES,
  EVENT_STATUSES,
  RECURRENCE_PATTERNS,
  REGISTRATION_TYPES,
  REMINDER_TYPES,
} from '../../events/event.ts';
import { ROLES } from '../../people/caller.ts';
import { VISIBILITIES, type Visibility } from '../../people/visibility.ts';
import { REGISTRATION_KINDS } from '../../registrations/registration.ts';
import { EVENT_TYPE, VISIBILITY } from './event-body.ts';
import { nullable, oneOf } from './fields.ts';

const text = Type.String();
const textOrNull = nullable(text);
const truth = Type.Boolean();
const wholeOrNull = nullable(Type.Integer());
const audience = oneOf(AUDIENCES);

export const OPTIONS = Type.Object(
  {
    event_types: Type.Array(
      Type.Object({
        value: EVENT_TYPE,
        meaning: text,
        icon: text,
        color: textOrNull,
        duration: nullable(Type.Integer({ description: 'suggested minutes; null: all day' })),
        all_day: truth,
        suggested_titles: Type.Array(text),
        suggested_start_time: textOrNull,
        suggested_end_time: textOrNull,
      }),
    ),
    visibility: Type.Array(
      Type.Object({ value: oneOf(Object.keys(VISIBILITIES) as Visibility[]), icon: text, seen_by: text }),
    ),
    statuses: Type.Array(oneOf(EVENT_STATUSES)),
    registration_types: Type.Array(
      Type.Object({
        value: oneOf(REGISTRATION_TYPES),
        needs_deadline: truth,
        needs_capacity: truth,
        needs_cost: truth,
      }),
    ),
    registration_kinds: Type.Array(oneOf(REGISTRATION_KINDS)),
    recurrence_patterns: Type.Array(Type.Object({ value: oneOf(RECURRENCE_PATTERNS), suggested_count: wholeOrNull })),
    reminder_types: Type.Array(oneOf(REMINDER_TYPES)),
    reminder_offsets: Type.Array(Type.Integer({ description: 'minutes before the event' })),
    target_audience: Type.Array(audience),
    roles: Type.Array(oneOf(ROLES, { description: 'that an event can be restricted to' })),
    defaults: Type.Object({
      event_type: EVENT_TYPE,
      visibility: VISIBILITY,
      registration_type: oneOf(REGISTRATION_TYPES),
      recurrence_pattern: oneOf(RECURRENCE_PATTERNS),
      start_date: Type.String({ description: 'tomorrow, by the school’s calendar' }),
      end_date: text,
      all_day: truth,
      is_free: truth,
      is_featured: truth,
      send_notifications: truth,
      waitlist_enabled: truth,
      requires_approval: truth,
      target_audience: Type.Array(audience),
      start_time: textOrNull,
      end_time: textOrNull,
      duration: Type.Integer({ description: 'minutes' }),
      timezone: text,
    }),
  },
  { $id: 'EventOptions' },
);
