import { Type } from 'typebox';
import { CHANNELS } from '../../notifications/policy/trigger.ts';
import { ADDRESSED } from '../../registrations/message.ts';
import { REGISTRATION_KINDS } from '../../registrations/registration.ts';
import { line, oneOf, optional, strict, text } from '../schemas/fields.ts';
import { LIMITS } from '../schemas/limits.ts';
import { DRY_RUN_RESULT } from './dry-run-schema.ts';

export const MESSAGE = strict(
  {
    subject: line(LIMITS.message_subject),
    body: text(LIMITS.message_body),
    channels: Type.Array(oneOf(CHANNELS), { minItems: 1, maxItems: CHANNELS.length }),
    status: optional(oneOf(ADDRESSED, { description: 'all three when not given' })),
    kind: optional(oneOf(REGISTRATION_KINDS)),
  },
  {
    examples: [
      { subject: 'What to bring', body: 'Boots and a raincoat, please.', channels: ['email'], status: 'confirmed' },
    ],
  },
);

export const MESSAGE_ACCEPTED = Type.Object({ message_id: Type.String({ description: 'the id of its fact' }) });

/** With `dry_run`: whom it would reach. */
export const MESSAGE_DRY_RUN = Type.Object({
  dry_run: Type.Literal(true),
  people: Type.Integer({ description: 'registrations it is for' }),
  audience: DRY_RUN_RESULT.properties.audience,
  sms_segments: DRY_RUN_RESULT.properties.sms_segments,
  estimated_seconds: DRY_RUN_RESULT.properties.estimated_seconds,
});
