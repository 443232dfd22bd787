import { Type } from 'typebox';
import { LIMITS } from '../../events/limits.ts';
import { CHANNELS } from '../../notifications/policy/trigger.ts';
import { ADDRESSED } from '../../registrations/message.ts';
import { REGISTRATION_KINDS } from '../../registrations/registration.ts';
import { line, oneOf, optional, strict, text } from '../schemas/fields.ts';
import { DRY_RUN_RESULT } from './dry-run-schema.ts';

export const MESSAGE = strict(
  {
    subject: line(LIMITS.message_subject),
    body: text(LIMITS.message_body),
    channels: Type.Array(oneOf(CHANNELS), { minItems: 1, maxItems: CHANNELS.length }),
    status: optional(oneOf(ADDRESSED, { description: 'Only registrations with this status; all three by default.' })),
    kind: optional(oneOf(REGISTRATION_KINDS)),
  },
  {
    examples: [
      { subject: 'What to bring', body: 'Boots and a raincoat, please.', channels: ['email'], status: 'confirmed' },
    ],
  },
);

export const MESSAGE_ACCEPTED = Type.Object({ message_id: Type.String({ description: 'The id of the message.' }) });

/** The answer with `dry_run`: who would get the message. */
export const MESSAGE_DRY_RUN = Type.Object({
  dry_run: Type.Literal(true),
  people: Type.Integer({ description: 'How many registrations the message is for.' }),
  audience: DRY_RUN_RESULT.properties.audience,
  sms_segments: DRY_RUN_RESULT.properties.sms_segments,
  estimated_seconds: DRY_RUN_RESULT.properties.estimated_seconds,
});
