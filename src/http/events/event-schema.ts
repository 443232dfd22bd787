import { Type } from 'typebox';
import { EVENT_STATUSES } from '../../events/event.ts';
import { EVENT_FIELDS } from '../../events/event-fields.ts';
import { ACTIONS, type Action } from '../../events/rules/lifecycle.ts';
import { nullable, oneOf, optional, stamp, stampOrNull } from '../schemas/fields.ts';

const text = Type.String();
const textOrNull = nullable(Type.String());
const whole = Type.Integer();

/** An event in the answer of every route. The serializer writes these properties only. */
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
    ...EVENT_FIELDS,
    status: oneOf(EVENT_STATUSES),
    starts_at: stamp,
    ends_at: stamp,
    parent_event_id: textOrNull,
    occurrence_date: nullable(
      Type.String({
        description: 'The date that the series gave this occurrence, even if it was moved. Null outside a series.',
      }),
    ),
    duplicated_from_id: textOrNull,
    current_attendees: whole,
    available_spots: nullable(whole),
    waitlist_count: whole,
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
