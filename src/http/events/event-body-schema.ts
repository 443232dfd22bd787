import { type TSchema, Type } from 'typebox';
import {
  ACKNOWLEDGEMENT_REMINDER,
  COORDINATES,
  EVENT_FIELDS,
  eachLanguage,
  type NewEvent,
  ORGANIZED,
  PLACE,
  REQUIRED_FIELDS,
  RESTRICTION,
  SLOTS,
  TRANSLATION,
} from '../../events/event-fields.ts';
import { nullable, optional, strict } from '../schemas/fields.ts';
import { EVENT } from './event-schema.ts';

type Fields = Record<string, TSchema>;

const map = (fields: Fields, change: (schema: TSchema, name: string) => TSchema): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, change(schema, name)]));

export const NEW_EVENT_FIELDS = map(EVENT_FIELDS, (schema, name) =>
  (REQUIRED_FIELDS as readonly string[]).includes(name) ? schema : optional(schema),
);

/** Fields that only the service sets. A body that names one of them gets an error that says so. */
export const READ_ONLY_FIELDS = [
  'version',
  ...Object.keys(EVENT.properties).filter((name) => !Object.hasOwn(EVENT_FIELDS, name)),
];

export const NEW_EVENT = Type.Unsafe<NewEvent>(
  strict(NEW_EVENT_FIELDS, {
    'x-read-only': READ_ONLY_FIELDS,
    examples: [
      {
        title: 'Autumn concert',
        translations: { cs: { title: 'Podzimní koncert' } },
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
  }),
);

/** An object whose members a merge patch can clear. */
const clearable = (members: Fields) => nullable(strict(map(members, (schema) => optional(nullable(schema)))));

/** An edit has no defaults, and null clears a list. */
const editable = ({ default: initial, ...schema }: TSchema & { default?: unknown }) =>
  optional(Array.isArray(initial) ? nullable(schema) : schema);

/** A merge patch (RFC 7396): every field may be left out, null clears what can be empty, objects are merged into. */
export const EVENT_PATCH = strict(
  {
    ...map(EVENT_FIELDS, editable),
    location: optional(clearable({ ...PLACE, coordinates: clearable(COORDINATES) })),
    translations: optional(clearable(eachLanguage(clearable(TRANSLATION)))),
    organizer: optional(clearable(ORGANIZED)),
    restricted_to: optional(clearable(RESTRICTION)),
    acknowledgement_reminder: optional(clearable(ACKNOWLEDGEMENT_REMINDER)),
    slots: optional(clearable(SLOTS)),
  },
  {
    'x-read-only': READ_ONLY_FIELDS,
    examples: [{ start_time: '17:00', end_time: '18:30', location: { room: 'Aula', building: null } }],
  },
);
