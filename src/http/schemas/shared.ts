import { Type } from 'typebox';
import { ERRORS, type ErrorCode } from '../../kernel/errors.ts';
import { CALENDAR_ENTRY, STATISTICS } from './calendar.ts';
import { EVENT } from './event.ts';
import { oneOf, optional } from './fields.ts';
import { FORESIGHT } from './foresight.ts';
import { INGEST_ITEM, INGESTED } from './ingest.ts';
import { OPTIONS } from './options.ts';
import { CONTACT, IMPORTED, INBOX_ENTRY, PREFERENCES_NOW, SCHOOL } from './people.ts';
import { PUBLIC_EVENT } from './public-event.ts';
import { DELIVERY, FACT, OPERATED, PLANNED, QUARANTINED, SUPPRESSION, WHY } from './records.ts';
import { OWN_REGISTRATION, REGISTRATION, ROSTERED } from './registration.ts';

/** What a code means. */
export const PROBLEM_KIND = {
  code: oneOf(Object.keys(ERRORS) as ErrorCode[]),
  status: Type.Integer(),
  title: Type.String(),
  remedy: Type.String({ description: 'what to do about it' }),
};

/** The body of every answer that says no (RFC 9457). */
export const PROBLEM = Type.Object(
  {
    type: Type.String({ format: 'uri' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: optional(Type.String()),
    instance: Type.String({ description: 'the id of the request, as in the log' }),
    code: oneOf(Object.keys(ERRORS) as ErrorCode[]),
    errors: optional(
      Type.Array(Type.Object({ pointer: Type.String({ description: 'JSON pointer' }), message: Type.String() })),
    ),
    current_status: optional(Type.String()),
    allowed_actions: optional(Type.Array(Type.String())),
    waitlist_enabled: optional(Type.Boolean({ description: 'with event_full: whether there is a waitlist to join' })),
  },
  { $id: 'Problem', additionalProperties: true },
);

/** Schemas that the OpenAPI document holds once, by name. */
export const SHARED = [
  PROBLEM,
  EVENT,
  FORESIGHT,
  CALENDAR_ENTRY,
  STATISTICS,
  OPTIONS,
  PUBLIC_EVENT,
  FACT,
  PLANNED,
  WHY,
  DELIVERY,
  QUARANTINED,
  SUPPRESSION,
  OPERATED,
  REGISTRATION,
  OWN_REGISTRATION,
  ROSTERED,
  CONTACT,
  IMPORTED,
  SCHOOL,
  PREFERENCES_NOW,
  INBOX_ENTRY,
  INGEST_ITEM,
  INGESTED,
];
