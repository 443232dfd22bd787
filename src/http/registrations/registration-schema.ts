import { Type } from 'typebox';
import { ACTIVE_STATUSES } from '../../events/find-confirmed.ts';
import { LIMITS } from '../../events/limits.ts';
import { REGISTRATION_ACTIONS, STAGES } from '../../registrations/allowed.ts';
import { SLOT } from '../../registrations/input.ts';
import { LISTED } from '../../registrations/list.ts';
import { REGISTRATION, REGISTRATION_COUNT } from '../../registrations/registration.ts';
import { PATTERNS } from '../openapi/formats.ts';
import { id, named, nullable, oneOf, optional, refTo, stamp, strict, stringOrNull, text } from '../schemas/fields.ts';

export const CANCEL_REGISTRATION = strict(
  { reason: optional(nullable(text(LIMITS.reason))) },
  { examples: [{ reason: 'We are ill.' }] },
);

const fields = {
  ...REGISTRATION,
  slots: Type.Array(Type.Object(SLOT), { default: [], description: 'The chosen meetings.' }),
  waitlist_position: nullable(
    Type.Integer({ description: 'The position on the waitlist. 1 is next. Null if not on the waitlist.' }),
  ),
};

export const SHOWN_REGISTRATION = named('Registration', fields);

export const FAMILY = Type.Object({
  data: Type.Array(
    Type.Object({
      user_id: Type.String(),
      registration: optional(refTo(SHOWN_REGISTRATION, 'Missing if this person was refused.')),
      code: optional(Type.String({ description: 'The error code, if this person was refused.' })),
      detail: optional(Type.String({ description: 'The reason, if this person was refused.' })),
    }),
    { description: 'The result for each person, in the order of the request.' },
  ),
});

// Generated clients have a type of this name.
export const LISTED_REGISTRATION = named('RosteredRegistration', { ...fields, ...LISTED });

export const OWN_REGISTRATION = named('OwnRegistration', {
  ...fields,
  allowed_actions: Type.Array(oneOf(REGISTRATION_ACTIONS), { description: 'The actions that you can take now.' }),
});

export const STAGE = oneOf(STAGES, {
  description: 'The stage of the event: `before` it is published or has a date, `open`, or `over`.',
});

export const CHECK_IN = strict(
  {
    code: Type.String({
      pattern: PATTERNS.door_code.pattern,
      description: 'The six digits that are shown at the door now.',
    }),
    user_id: optional({ ...id, description: 'Your child, if you don’t check in yourself.' }),
  },
  { examples: [{ code: '048213' }] },
);

export const DOOR_CODE = Type.Object({
  code: Type.String({ description: 'The six digits to show at the door now. They change every ten minutes.' }),
  changes_at: { ...stamp, description: 'When the next code begins.' },
  url: Type.String({ description: 'The page of the event with the code filled in, e.g. for a QR code.' }),
  opens_at: { ...stamp, description: 'When check-in opens.' },
  closes_at: { ...stamp, description: 'When the event ends, and with it the code.' },
});

export const REGISTRATION_COUNTS = Type.Object({
  counts: Type.Array(REGISTRATION_COUNT, { description: 'One row for each status and kind that occurs.' }),
  attendance_rate: nullable(
    Type.Number({
      description: 'The checked-in part of the confirmed people, from 0 to 1. Null before the event has started.',
    }),
  ),
});

export const ADMISSION = Type.Object({
  status: nullable(
    oneOf(ACTIVE_STATUSES, {
      description: 'The status that a new registration would get. Null if it would be refused.',
    }),
  ),
  code: stringOrNull('The error code of the refusal.'),
  detail: stringOrNull('What went wrong and what you can do, in words.'),
});

export const CANCEL_MANY = strict(
  {
    registration_ids: Type.Array(id, { minItems: 1, maxItems: LIMITS.cancelled_at_once }),
    reason: optional(nullable(text(LIMITS.reason))),
  },
  { examples: [{ registration_ids: ['0199…'], reason: 'The bus is smaller than planned.' }] },
);

export const CANCELLED_MANY = Type.Object({
  cancelled: Type.Integer({ description: 'How many are cancelled.' }),
  left_out: Type.Array(Type.Object({ registration_id: Type.String(), code: Type.String() })),
});

export const WAITLIST = Type.Object({
  capacity: nullable(Type.Integer()),
  taken: Type.Integer({ description: 'How many seats are taken.' }),
  waiting: Type.Integer({ description: 'How many people are on the waitlist.' }),
  would_move_up: Type.Integer({ description: 'How many people would get a seat.' }),
  would_still_wait: Type.Integer({ description: 'How many people would stay on the waitlist.' }),
  free_after: nullable(Type.Integer({ description: 'How many seats would stay free.' })),
  note: stringOrNull('Why this capacity is not possible, or why no one would get a seat yet.'),
  next: Type.Array(Type.Object(LISTED_REGISTRATION.properties), { description: 'The first people on the waitlist.' }),
});
