import { type Static, type TSchema, Type } from 'typebox';
import { fromKeys } from '../../core/objects.ts';
import { EVENT_STATUSES, RECORD_FIELDS } from '../../events/event.ts';
import { EVENT_FIELDS } from '../../events/event-fields.ts';
import { ACTIVE_STATUSES } from '../../events/find-confirmed.ts';
import { ACTIONS, type Action } from '../../events/rules/lifecycle.ts';
import { SCHEDULE_FIELDS } from '../../events/rules/schedule.ts';
import { described, listOf, named, nullable, oneOf, optional, stamp, stringOrNull } from '../schemas/fields.ts';

const text = Type.String();

const SHOWN_ACTIONS = [...(Object.keys(ACTIONS) as Action[]), 'register'] as const;

const REFUSALS = fromKeys(SHOWN_ACTIONS, () => optional(text));

const occurrence = {
  id: Type.String({ description: 'The id of the occurrence.' }),
  start_date: Type.String({ description: 'The date of the occurrence.' }),
  fields: Type.Array(text, { description: 'The names of the fields concerned. Empty if the whole occurrence is.' }),
};

/** The result of an operation on a series for each occurrence. */
export const OCCURRENCES = described(
  'Only in the response to a change of a series: what was changed and what was left out, by date.',
  {
    changed: listOf('The occurrences that were changed.', {
      ...occurrence,
      change: oneOf(['added', 'edited', 'deleted', ...EVENT_STATUSES], {
        description: 'What happened to it: `added`, `edited`, `deleted`, or its new status.',
      }),
    }),
    left_out: listOf('The occurrences that were left out.', {
      ...occurrence,
      code: Type.String({
        description:
          '`overridden`: these fields were changed in this occurrence alone. `has_registrations`: a date that the new ' +
          'rule no longer has, kept for the people registered. `begun`: such a date that has begun. Or an error code.',
      }),
      detail: Type.String({ description: 'The reason in words.' }),
    }),
  },
);

export const UNDO = described('Only in the response to a change with `hold_seconds`: how to undo it.', {
  change_id: Type.String(),
  until: { ...stamp, description: 'The end of the time to undo it.' },
});

/** The active registrations of the caller and their children for one event. */
export const ACTIVE_REGISTRATIONS = listOf('The active registrations of you and your children.', {
  user_id: text,
  status: oneOf(ACTIVE_STATUSES),
});

/** An event in the response of every route. The serializer writes these properties only. */
export const EVENT = named('Event', {
  external_id: stringOrNull('The id of the event in the service that reports it. Null for events of this service.'),
  tenant_id: text,
  school_id: text,
  ...EVENT_FIELDS,
  ...RECORD_FIELDS,
  available_spots: nullable(Type.Integer({ description: 'How many seats are free. Null if the event has no limit.' })),
  waitlist_count: Type.Integer({ description: 'How many people are on the waitlist.' }),
  being_revised: Type.Boolean({
    description: 'The event was unpublished while people were registered. They still see it and keep their places.',
  }),
  allowed_actions: Type.Array(oneOf(SHOWN_ACTIONS), {
    description: 'What you can do with the event now. `register`: the event takes registrations from you.',
  }),
  refused_actions: described('The actions that are not possible now, each with the reason.', REFUSALS),
  refusal_codes: described('The actions that are not possible now, each with the error code.', REFUSALS),
  share_url: stringOrNull('The address to share. Null if the event is not published.'),
  occurrences: optional(OCCURRENCES),
  undo: optional(UNDO),
});

/** How lists show a type of events. */
export const EVENT_TYPE_LOOK = {
  icon: Type.String({ description: 'The name of the icon.' }),
  color: stringOrNull('The color of the event type.'),
};

type EventField = keyof typeof EVENT.properties;
const FIELDS = Object.keys(EVENT.properties) as EventField[];

/**
 * The fields of an event in a list, if the query names no others: those that lists and calendars show, and none that is
 * long.
 */
const SUMMARY = [
  'id',
  'tenant_id',
  'school_id',
  'title',
  'event_type',
  'status',
  'visibility',
  ...SCHEDULE_FIELDS,
  'starts_at',
  'ends_at',
  'is_recurring',
  'parent_event_id',
  'location_name',
  'location',
  'organizer_id',
  'department_id',
  'class_id',
  'grade_level_ids',
  'target_audience',
  'tags',
  'categories',
  'is_featured',
  'is_free',
  'image_url',
  'registration_type',
  'registration_deadline',
  'max_attendees',
  'current_attendees',
  'available_spots',
  'waitlist_count',
  'being_revised',
  'updated_at',
  'allowed_actions',
  'share_url',
] as const satisfies EventField[];

/** An event in a list: only the fields that the query names, and always its id. */
export const LISTED_EVENT = named('ListedEvent', {
  ...fromKeys(FIELDS, (name) => optional(withoutDefault(EVENT.properties[name]))),
  id: text,
  registered: optional(ACTIVE_REGISTRATIONS),
});

/** The serializer would write the default of a field that was not read. */
function withoutDefault({ default: _, ...schema }: TSchema & { default?: unknown }): TSchema {
  return schema;
}

/** The query parameter that names the fields of a list. */
export const FIELDS_QUERY = optional(
  Type.Array(oneOf(['summary', 'all', 'registered', ...FIELDS]), {
    minItems: 1,
    maxItems: FIELDS.length + 3,
    description:
      'A field to return besides `id`. Repeat the parameter to return several. `all` stands for every field of an event and ' +
      `\`summary\`, the default, for these: ${SUMMARY.join(', ')}. A response with few fields is faster.`,
  }),
);

/** The fields that a query names. */
export function fieldsOf(names: Static<typeof FIELDS_QUERY> = ['summary']): EventField[] {
  const fields = names.flatMap((name) =>
    name === 'all' ? FIELDS : name === 'summary' ? SUMMARY : name === 'registered' ? [] : name,
  );
  return [...new Set<EventField>(['id', ...fields])];
}
