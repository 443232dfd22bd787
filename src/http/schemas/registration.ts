import { Type } from 'typebox';
import { REGISTRATION_KINDS, REGISTRATION_STATUSES } from '../../registrations/registration.ts';
import { email, id, nullable, oneOf, optional, phone, stamp, stampOrNull, strict, text } from './fields.ts';

export const REGISTER = strict(
  {
    kind: oneOf(REGISTRATION_KINDS),
    notes: optional(nullable(text(1000))),
    user_id: optional({ ...id, description: 'another person: the caller’s child, or anyone for those who manage' }),
    contact: optional(nullable(strict({ email: optional(nullable(email)), phone: optional(nullable(phone)) }))),
  },
  { examples: [{ kind: 'attendee', notes: 'Two seats near the door, please.' }] },
);

export const CANCEL_REGISTRATION = strict({ reason: optional(nullable(text(1000))) });

const fields = {
  id: Type.String(),
  event_id: Type.String(),
  user_id: Type.String(),
  kind: oneOf(REGISTRATION_KINDS),
  notes: nullable(Type.String()),
  status: oneOf(REGISTRATION_STATUSES),
  contact: nullable(Type.Object({ email: nullable(Type.String()), phone: nullable(Type.String()) })),
  waitlist_number: nullable(Type.Integer({ description: 'the order of joining the waitlist' })),
  registered_by: Type.String(),
  promoted_by: nullable(Type.String()),
  cancel_reason: nullable(Type.String()),
  created_at: stamp,
  updated_at: stamp,
  confirmed_at: stampOrNull,
  cancelled_at: stampOrNull,
};

export const LISTED_REGISTRATION = Type.Object(fields, { $id: 'ListedRegistration' });

export const REGISTRATION = Type.Object(
  {
    ...fields,
    waitlist_position: nullable(Type.Integer({ description: '1 is next; null for those who do not wait' })),
  },
  { $id: 'Registration' },
);
