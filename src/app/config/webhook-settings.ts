import { Type } from 'typebox';
import { optional, text } from './schema.ts';
import * as rules from './setting-rules.ts';

/** Settings of webhooks, for the API and their worker. */
export const webhooks = Type.Object({
  allowedOrigins: Type.Decode(
    optional(
      text(
        'WEBHOOK_ALLOWED_ORIGINS',
        'origins that webhooks may be at besides public https addresses, such as a server in the same network; for the API and ' +
          'the webhooks worker',
        rules.ORIGINS,
        { unset: 'none' },
      ),
    ),
    (value) => (value === null ? [] : rules.listOf(value)),
  ),
});
