import { Type } from 'typebox';
import { EVENT_STATUSES, REGISTRATION_TYPES } from '../../events/event.ts';
import { LOCALES } from '../../people/contact.ts';
import { ATTACHMENT, EVENT_TYPE } from '../events/event-body-schema.ts';
import { nullable, oneOf, stamp, stampOrNull } from '../schemas/fields.ts';

const text = Type.String();
const textOrNull = nullable(text);
const texts = Type.Array(text);
const truth = Type.Boolean();

/** An event as visitors without a token see it: without people and without the meeting link. */
export const PUBLIC_EVENT = Type.Object(
  {
    id: text,
    school_id: text,
    title: text,
    description: textOrNull,
    event_type: EVENT_TYPE,
    status: oneOf(EVENT_STATUSES),
    start_date: text,
    end_date: text,
    start_time: textOrNull,
    end_time: textOrNull,
    timezone: text,
    all_day: truth,
    starts_at: stamp,
    ends_at: stamp,
    is_recurring: truth,
    parent_event_id: textOrNull,
    location_name: textOrNull,
    location: nullable(
      Type.Object({
        name: Type.Optional(text),
        address: Type.Optional(text),
        room: Type.Optional(text),
        building: Type.Optional(text),
        isVirtual: Type.Optional(truth),
        mapLink: Type.Optional(text),
        coordinates: Type.Optional(Type.Object({ latitude: Type.Number(), longitude: Type.Number() })),
      }),
    ),
    is_free: truth,
    cost: nullable(Type.Number()),
    currency: textOrNull,
    image_url: textOrNull,
    banner_url: textOrNull,
    attachments: Type.Array(ATTACHMENT),
    tags: texts,
    categories: texts,
    registration_type: oneOf(REGISTRATION_TYPES),
    registration_deadline: stampOrNull,
    registration_url: textOrNull,
    max_attendees: nullable(Type.Integer()),
    available_spots: nullable(Type.Integer()),
    is_featured: truth,
    published_at: stampOrNull,
    cancelled_at: stampOrNull,
    postponed_to: stampOrNull,
    updated_at: stamp,
  },
  { $id: 'PublicEvent' },
);

/** A school as visitors without a token see it. */
export const PUBLIC_SCHOOL = Type.Object(
  {
    id: text,
    name: text,
    timezone: text,
    locale: oneOf(LOCALES),
    event_types: Type.Array(Type.Object({ value: EVENT_TYPE, icon: text, color: textOrNull })),
  },
  { description: 'The school' },
);
