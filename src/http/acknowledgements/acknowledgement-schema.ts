import { Type } from 'typebox';
import { ACKNOWLEDGED_BY } from '../../acknowledgements/acknowledgement.ts';
import { channels } from '../../people/schema.ts';
import { described, listOf, named, nullable, oneOf, optional, stamp, strict, stringOrNull } from '../schemas/fields.ts';

const PERSON = { user_id: Type.String(), name: Type.String() };
const IN_CLASSES = { ...PERSON, class_ids: Type.Array(Type.String()) };

/** A person who should have read something, with the confirmation, if there is one. */
export const ACKNOWLEDGED = named('Acknowledged', {
  ...IN_CLASSES,
  readers: listOf('The people who can confirm it: the guardians in the directory and the person.', PERSON),
  acknowledgement: nullable(
    described('The confirmation. Null if there is none yet.', {
      at: { ...stamp, description: 'When it was confirmed.' },
      channel: oneOf(ACKNOWLEDGED_BY, { description: 'How it was confirmed. `call`: to staff who called.' }),
      by: described('Who confirmed it: the person, a guardian, or the member of staff who called.', {
        user_id: Type.String(),
        name: stringOrNull('Null if the person is not in the directory any more.'),
      }),
      note: stringOrNull('What staff noted about the call.'),
    }),
  ),
});

/** How people who have not confirmed are reminded. */
export const REMINDING = strict(
  {
    channels: optional({
      ...channels,
      description: 'By default the channels that the school has chosen for these reminders.',
    }),
    after_hours: optional(
      Type.Integer({ minimum: 1, maximum: 168, description: 'Send it so many hours later. By default at once.' }),
    ),
  },
  { examples: [{ channels: ['sms'], after_hours: 24 }] },
);

/** A person who has not confirmed, and whom staff can call. */
export const TO_CALL = named('ToCall', {
  ...IN_CLASSES,
  numbers: listOf('The phone numbers of the guardians, then of the person. Empty if the directory has none.', {
    ...PERSON,
    phone: Type.String(),
  }),
});

const counts = {
  confirmed: Type.Integer({ description: 'For how many people it was confirmed.' }),
  open: Type.Integer({ description: 'For how many people it was not confirmed yet.' }),
};

export const READ_COUNTS = described('For how many people it was confirmed, and for how many not.', counts);

export const CLASS_COUNT = Type.Object({ class_id: Type.String(), ...counts });
