import { type TSchema, Type } from 'typebox';
import { LEFT_OUT, REPORTED_EVENT, REPORTED_REGISTRATION, REPORTED_TYPES } from '../../ingest/item.ts';
import { NEW_EVENT_FIELDS, READ_ONLY_FIELDS } from '../events/event-body-schema.ts';
import { FAULT, flag, id, instant, named, oneOf, optional, strict, stringOrNull } from '../schemas/fields.ts';

export const ITEMS_MAX = 500;

const TAKEN = { ...REPORTED_EVENT, tenant_id: optional(id), school_id: optional(id) };

/** Fields of our own answers. A report may contain them, but the service sets them itself. */
const IGNORED: Record<string, TSchema> = Object.fromEntries(
  READ_ONLY_FIELDS.filter((name) => !Object.hasOwn(TAKEN, name)).map((name) => [
    name,
    optional(Type.Unknown({ description: 'Ignored: the service sets this field itself.' })),
  ]),
);

/** One report. The response names the faults of each report, so the schema of the body accepts any value. */
export const INGEST_ITEM = named(
  'IngestItem',
  {
    id: { ...id, description: 'The id of this report. A report with the same id is a duplicate.' },
    type: oneOf(REPORTED_TYPES, { description: 'What happened. The service derives the changes from the snapshot.' }),
    occurred_at: { ...instant, description: 'When it happened. A time in the future counts as now.' },
    event: strict({ ...IGNORED, ...NEW_EVENT_FIELDS, ...TAKEN }, { description: 'The event.' }),
    registrations: optional(
      Type.Array(REPORTED_REGISTRATION, {
        maxItems: 1000,
        description: 'The registrations of this report. Others stay as they are.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const INGEST = strict(
  {
    items: Type.Array(
      Type.Unknown({ 'x-shape': 'IngestItem', description: 'The service checks and answers each item by itself.' }),
      { minItems: 1, maxItems: ITEMS_MAX, description: 'The reports, in any order.' },
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
  id: stringOrNull('The id of the report. Null if it has none.'),
  status: oneOf(['accepted', 'duplicate', 'rejected']),
  event_id: optional(Type.String({ description: 'The id of the event in this service.' })),
  superseded: flag('True if a newer report came before this one, which then changed nothing.'),
  left_out: optional(
    Type.Array(LEFT_OUT, {
      description: 'Registrations that have no seat here although they have one in the reporting service.',
    }),
  ),
  errors: optional(Type.Array(FAULT)),
});

export const INGESTED = named('Ingested', {
  accepted: Type.Integer({ description: 'How many items were accepted.' }),
  duplicates: Type.Integer({ description: 'How many items were duplicates.' }),
  rejected: Type.Integer({ description: 'How many items were rejected.' }),
  items: Type.Array(OUTCOME, { description: 'The items, in the order of the request.' }),
});
