import { Type } from 'typebox';
import type { FieldFault } from '../../core/errors.ts';
import { TRIGGERS, type Trigger } from '../../notifications/policy/trigger-table.ts';
import { CHANNELS } from '../../people/channels.ts';
import { type ContactInput, guardianFaults, LOCALES, PUT_CONTACT } from '../../people/contact.ts';
import { QUIET_HOURS } from '../../people/preferences.ts';
import { CHANNEL, SUPPRESSION } from '../operations/records-schema.ts';
import {
  described,
  FAULT,
  flag,
  id,
  listOf,
  named,
  nullable,
  oneOf,
  optional,
  refTo,
  stamp,
  strict,
  stringOrNull,
  webAddress,
} from '../schemas/fields.ts';
import { checkOf } from '../validator.ts';

const schemaFaults = checkOf({ ...PUT_CONTACT, ...strict({ user_id: id, ...PUT_CONTACT.properties }) });

/** What the directory refuses of a contact with its `user_id`. */
export function contactFaults(contact: unknown): FieldFault[] {
  const faults = schemaFaults(contact);
  return faults.length > 0 ? faults : guardianFaults(contact as ContactInput);
}

export const CONTACT = named('Contact', {
  user_id: Type.String(),
  ...Type.Required(PUT_CONTACT).properties,
  updated_at: stamp,
  in_roster: flag('True if a roster brought the person: a later roster without them says that they have left.'),
  left_at: optional({ ...stamp, description: 'When the person left the school. Missing if they have not.' }),
});

/** How one channel reaches a person. */
export const PERSON_CHANNEL = Type.Object({
  channel: CHANNEL,
  address: stringOrNull('The address. Null if there is none, or the channel uses none.'),
  browsers: Type.Integer({ description: 'How many browsers are subscribed. 0 for other channels than push.' }),
  opted_out: Type.Array(Type.String(), {
    description: 'The message types that the person turned off. `*`: all, also by the answer STOP.',
  }),
  suppression: Type.Union([refTo(SUPPRESSION), Type.Null()], {
    description: 'What stops messages to the address. Null if nothing does.',
  }),
});

export const PERSON_EXPORT = described('The data of the person', {
  user_id: Type.String(),
  exported_at: { ...stamp, description: 'When the data was exported.' },
  records: Type.Object({}, { additionalProperties: true, description: 'The records of each kind, as stored.' }),
});

export const IMPORTED = named('Imported', {
  received: Type.Integer({ description: 'How many lines were not blank.' }),
  inserted: Type.Integer({ description: 'How many people were created.' }),
  replaced: Type.Integer({ description: 'How many people were replaced.' }),
  faulty_count: Type.Integer({ description: 'How many lines are faulty.' }),
  faulty: listOf('The first hundred faulty lines.', { line: Type.Integer(), errors: Type.Array(FAULT) }),
});

const mandatory = (trigger: string, channel: string): boolean =>
  (TRIGGERS[trigger as Trigger]?.mandatory as readonly string[] | undefined)?.includes(channel) ?? false;

/** The messages that a person can opt out of. Mandatory messages are not among them. */
const WISHES = ['*', ...Object.keys(TRIGGERS)].flatMap((trigger) =>
  ['*', ...CHANNELS].filter((channel) => !mandatory(trigger, channel)).map((channel) => `${trigger}:${channel}`),
);

/** A stored opt-out may be one that an earlier version allowed. */
export const isWish = (one: string): boolean => WISHES.includes(one);

const wishedQuietHours = Type.Union([QUIET_HOURS, Type.Literal('off'), Type.Null()], {
  description: 'When messages that are not urgent wait. `off`: never. Null: as the school has set.',
});

export const PREFERENCES = strict(
  {
    locale: optional(nullable(oneOf(LOCALES))),
    quiet_hours: optional(wishedQuietHours),
    opted_out: optional(
      Type.Array(oneOf(WISHES), {
        maxItems: WISHES.length,
        uniqueItems: true,
        description:
          'Pairs `trigger:channel`; `*` means any. You still get cancellations and postponements by e-mail and in the app, ' +
          'and news about your registrations in the app.',
      }),
    ),
  },
  { examples: [{ locale: 'cs', opted_out: ['event.published:email', '*:sms'] }] },
);

export const PREFERENCES_NOW = named('Preferences', {
  ...Type.Required(PREFERENCES).properties,
  opted_out: Type.Array(Type.String(), { description: 'The messages that are turned off.' }),
});

const PUSH_ENDPOINT = 'https://fcm.googleapis.com/fcm/send/abc';

export const SUBSCRIBE = strict(
  {
    endpoint: webAddress,
    // Browsers send this field. The service ignores it.
    expirationTime: optional(nullable(Type.Number({ description: 'Sent by browsers. The service ignores it.' }))),
    keys: strict({ p256dh: Type.String({ format: 'p256dh' }), auth: Type.String({ format: 'auth' }) }),
  },
  {
    description: 'The result of PushSubscription.toJSON() in the browser.',
    examples: [{ endpoint: PUSH_ENDPOINT, keys: { p256dh: `BA${'a'.repeat(85)}`, auth: 'a'.repeat(22) } }],
  },
);

export const UNSUBSCRIBE = strict({ endpoint: webAddress }, { examples: [{ endpoint: PUSH_ENDPOINT }] });
