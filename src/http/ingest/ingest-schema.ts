import { type Static, type TSchema, Type } from 'typebox';
import { EVENT_STATUSES } from '../../events/event.ts';
import { REPORTED_TYPES } from '../../ingest/item.ts';
import { REGISTRATION_KINDS, REGISTRATION_STATUSES } from '../../registrations/registration.ts';
import { EVENT_FIELDS, KEPT_FIELDS } from '../events/event-body-schema.ts';
import { email, id, instant, line, nullable, oneOf, optional, phone, strict, text } from '../schemas/fields.ts';

export const ITEMS_MAX = 500;

const stamp = optional(nullable(instant));

const TAKEN = {
  published_at: stamp,
  cancelled_at: stamp,
  publish_at: stamp,
  postponed_to: stamp,
  cancellation_reason: optional(nullable(text(1000))),
  postponement_reason: optional(nullable(text(1000))),
  parent_event_id: optional(nullable(id)),
  tenant_id: optional(id),
  school_id: optional(id),
};

/** What our own answers hold besides: may be there, and is kept here by ourselves. */
const IGNORED: Record<string, TSchema> = Object.fromEntries(
  KEPT_FIELDS.filter((name) => !Object.hasOwn(TAKEN, name)).map((name) => [
    name,
    optional(Type.Unknown({ description: 'ignored: it is kept here' })),
  ]),
);

export const SNAPSHOT = strict({
  ...IGNORED,
  ...EVENT_FIELDS,
  ...TAKEN,
  id: { ...id, description: 'its id there; every route of an event takes it' },
  version: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'grows with every change there: an older one never replaces a newer one',
  }),
  status: oneOf(EVENT_STATUSES),
});

const REPORTED = strict({
  id,
  user_id: id,
  kind: oneOf(REGISTRATION_KINDS),
  status: oneOf(REGISTRATION_STATUSES),
  notes: optional(nullable(text(1000))),
  contact: optional(nullable(strict({ email: optional(nullable(email)), phone: optional(nullable(phone)) }))),
  created_at: optional(nullable({ ...instant, description: 'the order in which seats are given' })),
  cancel_reason: optional(nullable(text(1000))),
  checked_in_at: stamp,
});

/** One report. Its own answer says what is wrong with it, so the body's schema lets anything pass. */
export const INGEST_ITEM = strict(
  {
    id: { ...id, description: 'of this report: taken in once' },
    type: oneOf(REPORTED_TYPES, { description: 'what happened; what follows is read from the snapshot' }),
    occurred_at: instant,
    event: SNAPSHOT,
    registrations: optional(
      Type.Array(REPORTED, { maxItems: 1000, description: 'those it speaks of; the others stay as they are' }),
    ),
  },
  { $id: 'IngestItem' },
);
export type IngestItemBody = Static<typeof INGEST_ITEM>;

export const INGEST = strict(
  {
    items: Type.Array(
      Type.Unknown({ 'x-shape': 'IngestItem', description: 'each is checked and answered by itself' }),
      { minItems: 1, maxItems: ITEMS_MAX },
    ),
  },
  {
    examples: [
      {
        items: [
          {
            id: 'f-1001',
            type: 'event.published',
            occurred_at: '2026-09-14T07:30:00Z',
            event: {
              id: 'concert-7',
              version: 3,
              status: 'published',
              title: 'Autumn concert',
              event_type: 'cultural',
              start_date: '2026-10-16',
              end_date: '2026-10-16',
              registration_type: 'optional',
              max_attendees: 120,
              waitlist_enabled: true,
            },
            registrations: [{ id: 'r-1', user_id: 'eva', kind: 'attendee', status: 'confirmed' }],
          },
        ],
      },
    ],
  },
);

const OUTCOME = strict({
  id: nullable(Type.String({ description: 'null where the item has none' })),
  status: oneOf(['accepted', 'duplicate', 'rejected']),
  event_id: optional(Type.String({ description: 'our id of the event' })),
  superseded: optional(
    Type.Boolean({ description: 'a newer report of the event was here: it left the event as it is' }),
  ),
  left_out: optional(
    Type.Array(
      strict({
        registration_id: line(200),
        code: oneOf(['event_full', 'already_registered']),
        status: oneOf(REGISTRATION_STATUSES, { description: 'what it is here' }),
      }),
      { description: 'registrations without the seat they have there' },
    ),
  ),
  errors: optional(
    Type.Array(Type.Object({ pointer: Type.String({ description: 'JSON pointer' }), message: Type.String() })),
  ),
});

export const INGESTED = Type.Object(
  { accepted: Type.Integer(), duplicates: Type.Integer(), rejected: Type.Integer(), items: Type.Array(OUTCOME) },
  { $id: 'Ingested' },
);
