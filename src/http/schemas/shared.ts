import { Type } from 'typebox';
import { ERRORS, type ErrorCode } from '../../core/errors.ts';
import { ACKNOWLEDGED, TO_CALL } from '../acknowledgements/acknowledgement-schema.ts';
import { CALENDAR_ENTRY, STATISTICS } from '../calendar/calendar-schema.ts';
import { PUBLIC_EVENT } from '../calendar/public-event-schema.ts';
import { CLASHES } from '../events/clash-schema.ts';
import { DRY_RUN_RESULT } from '../events/dry-run-schema.ts';
import { EVENT, LISTED_EVENT } from '../events/event-schema.ts';
import { OPTIONS } from '../events/options-schema.ts';
import { INGEST_ITEM, INGESTED } from '../ingest/ingest-schema.ts';
import { SAVED_TEXT, SCHOOL_MESSAGE } from '../messages/message-schema.ts';
import { ANSWER } from '../operations/answer-routes.ts';
import { DELIVERY, FACT, OPERATED, PLANNED, QUARANTINED, SUPPRESSION, WHY } from '../operations/records-schema.ts';
import { CONTACT, IMPORTED, INBOX_ENTRY, PREFERENCES_NOW } from '../people/people-schema.ts';
import { SCHOOL } from '../people/school-schema.ts';
import { OWN_REGISTRATION, REGISTRATION, ROSTERED } from '../registrations/registration-schema.ts';
import { WEBHOOK, WEBHOOK_ATTEMPT, WEBHOOK_WITH_SECRET } from '../webhooks/webhook-schema.ts';
import { FAULT, oneOf, optional } from './fields.ts';

/** The explanation of an error code. */
export const PROBLEM_KIND = {
  code: oneOf(Object.keys(ERRORS) as ErrorCode[]),
  status: Type.Integer(),
  title: Type.String(),
  remedy: Type.String({ description: 'What you can do about it.' }),
};

/** The body of every error (RFC 9457). */
const PROBLEM = Type.Object(
  {
    type: Type.String({ format: 'uri' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: optional(Type.String()),
    instance: Type.String({ description: 'The id of the request. The log of the service has the same id.' }),
    code: oneOf(Object.keys(ERRORS) as ErrorCode[]),
    errors: optional(Type.Array(FAULT)),
    current_status: optional(Type.String()),
    allowed_actions: optional(Type.Array(Type.String())),
    waitlist_enabled: optional(Type.Boolean({ description: 'With `event_full`: whether you can join the waitlist.' })),
    available_spots: optional(Type.Integer({ description: 'With `event_full`: how many places are free.' })),
    user_id: optional(
      Type.String({ description: 'With the refusal of people who register together: the person it is about.' }),
    ),
    reason: optional(Type.String({ description: 'With some codes: a stable code of the cause.' })),
    claim: optional(Type.String({ description: 'With `unauthenticated`: the claim of the token that is at fault.' })),
  },
  { $id: 'Problem', additionalProperties: true },
);

/** Schemas that the OpenAPI document defines once and refers to by name. */
export const SHARED = [
  PROBLEM,
  EVENT,
  LISTED_EVENT,
  CLASHES,
  DRY_RUN_RESULT,
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
  ANSWER,
  SCHOOL_MESSAGE,
  SAVED_TEXT,
  ACKNOWLEDGED,
  TO_CALL,
  REGISTRATION,
  OWN_REGISTRATION,
  ROSTERED,
  CONTACT,
  IMPORTED,
  SCHOOL,
  WEBHOOK,
  WEBHOOK_WITH_SECRET,
  WEBHOOK_ATTEMPT,
  PREFERENCES_NOW,
  INBOX_ENTRY,
  INGEST_ITEM,
  INGESTED,
];
