import { Type } from 'typebox';
import { MOST_WEBHOOKS } from '../../webhooks/manage.ts';
import { ATTEMPT_STATUSES, DISABLED_REASONS, PROBLEMS, WEBHOOK_TYPES } from '../../webhooks/webhook.ts';
import { line, named, nullable, oneOf, optional, stamp, strict } from '../schemas/fields.ts';

const type = oneOf(WEBHOOK_TYPES);

const url = Type.String({
  format: 'line',
  minLength: 1,
  maxLength: 2048,
  description: 'A public https address without a user and a password. Redirects are not followed.',
});
const types = Type.Array(type, {
  minItems: 1,
  maxItems: WEBHOOK_TYPES.length,
  uniqueItems: true,
  description: 'What the address is sent.',
});
const description = nullable(line(200, { description: 'For staff: what the webhook is for.' }));
const enabled = Type.Boolean({ description: 'Whether messages are sent.' });

export const ADD_WEBHOOK = strict(
  { url, types, description: optional(description) },
  {
    description: `A school has at most ${MOST_WEBHOOKS} webhooks.`,
    examples: [
      {
        url: 'https://automation.example/schoolbell',
        types: ['event.published', 'event.cancelled'],
        description: 'Website of the school',
      },
    ],
  },
);

export const CHANGE_WEBHOOK = strict(
  { url: optional(url), types: optional(types), description: optional(description), enabled: optional(enabled) },
  { examples: [{ enabled: false }] },
);

const FIELDS = {
  id: Type.String(),
  url: Type.String({ description: 'The address.' }),
  types: Type.Array(type, { description: 'What the address is sent.' }),
  description: nullable(Type.String({ description: 'What the webhook is for.' })),
  enabled,
  disabled_reason: nullable(
    oneOf(DISABLED_REASONS, {
      description:
        'Why it was turned off. `gone`: the receiver answered 410. `failing`: every try failed for five days. Null: it is ' +
        'on, or staff turned it off.',
    }),
  ),
  disabled_at: nullable({ ...stamp, description: 'When it was turned off.' }),
  failing_since: nullable({ ...stamp, description: 'Since when every try has failed. Null: the last one succeeded.' }),
  old_secret_until: nullable({ ...stamp, description: 'Until when messages are signed with the old secret too.' }),
  created_at: stamp,
};

export const WEBHOOK = named('Webhook', FIELDS);

export const WEBHOOK_WITH_SECRET = named('WebhookWithSecret', {
  ...FIELDS,
  secret: Type.String({
    description: 'The secret that messages are signed with, `whsec_…`. No other answer has it.',
  }),
});

const TRY = Type.Object({
  at: { ...stamp, description: 'When it was tried.' },
  ms: Type.Integer({ description: 'How many milliseconds it took.' }),
  status_code: nullable(Type.Integer({ description: 'The HTTP status of the answer. Null: there was none.' })),
  problem: nullable(
    oneOf(PROBLEMS, {
      description:
        'Why the try failed. `private_address`: the address is not on the internet. `refused`: the status was not 2xx. ' +
        'Null: the receiver took the message.',
    }),
  ),
});

export const WEBHOOK_ATTEMPT = named('WebhookAttempt', {
  id: Type.String(),
  message_id: Type.String({ description: 'The `webhook-id` of the message, the same in every try and replay.' }),
  type: { ...type, description: 'What the message is about.' },
  event_id: Type.String(),
  status: oneOf(ATTEMPT_STATUSES, {
    description:
      '`failed`: no more tries. `skipped`: the webhook was off when the message was due, or the event has been deleted.',
  }),
  created_at: stamp,
  next_try_at: nullable({ ...stamp, description: 'When it is tried next. Null: not at all.' }),
  body: nullable(
    Type.String({ description: 'The JSON that is sent. Null: not tried yet, or the person it named was erased.' }),
  ),
  tries: Type.Array(TRY, { description: 'The tries, at most the last 20, oldest first.' }),
});
