import { Type } from 'typebox';
import { EVENT_FIELDS, eachLanguage } from '../../events/event-fields.ts';
import { LIMITS } from '../../events/limits.ts';
import { SCHOOL_MESSAGE } from '../../messages/message.ts';
import { AUDIENCE_PREVIEW } from '../events/dry-run.ts';
import {
  choice,
  described,
  flag,
  line,
  named,
  nullable,
  optional,
  stamp,
  strict,
  stringOrNull,
  text,
} from '../schemas/fields.ts';

/** A text, as readers of one language get it. */
const TEXT = { subject: line(LIMITS.message_subject), body: text(LIMITS.message_body) };

const translations = nullable(
  strict(eachLanguage(optional(strict(TEXT))), {
    description: 'The text in other languages, by language. All other readers get `subject` and `body`.',
  }),
);

const { target_audience, class_id, grade_level_ids, asks_acknowledgement, acknowledgement_reminder } = EVENT_FIELDS;
const AUDIENCE = {
  target_audience: {
    ...target_audience,
    description: 'Who gets the message. `all` means everyone at the school; visitors get it only if named.',
  },
  class_id: { ...class_id, description: 'Only this class and the parents of its students.' },
  grade_level_ids: { ...grade_level_ids, description: 'Only these grades and the parents of their students.' },
  asks_acknowledgement: {
    ...asks_acknowledgement,
    description: 'True if readers are asked to confirm that they have read the message.',
  },
  acknowledgement_reminder: {
    ...acknowledgement_reminder,
    description: 'When and how people who have not confirmed by then are reminded, once. Null: not automatically.',
  },
};

export const SEND_MESSAGE = strict(
  {
    ...TEXT,
    translations: optional(translations),
    channels: SCHOOL_MESSAGE.channels,
    urgent: flag(
      'True: sent at any hour and before other messages; by e-mail and in the inbox also to people who turned messages ' +
        'of the school off. False by default.',
    ),
    ...Type.Partial(Type.Object(AUDIENCE)).properties,
    reply_to: choice(
      ['sender', 'school'],
      'Who gets answers to the e-mails: you, at your address in the directory, or the address that all e-mails come ' +
        'from. `school` by default.',
    ),
  },
  {
    examples: [
      {
        subject: 'School is closed tomorrow',
        body: 'The heating has failed. Lessons continue on Thursday.',
        channels: ['email', 'push', 'in_app'],
        urgent: true,
        target_audience: ['all'],
      },
    ],
  },
);

export const SHOWN_MESSAGE = named('SchoolMessage', {
  ...SCHOOL_MESSAGE,
  ...TEXT,
  translations,
  ...AUDIENCE,
  reply_to: nullable(
    described('The mailbox for answers. Null: the address that all e-mails come from.', {
      name: optional(Type.String()),
      email: optional(Type.String()),
    }),
  ),
  sender_name: stringOrNull('The name of the person who sent it. Null if it is not known.'),
});

/** The response with `dry_run`: who would get the message. */
export const SCHOOL_MESSAGE_DRY_RUN = Type.Object({
  addressed: Type.Integer({ description: 'How many people the message is for.' }),
  ...AUDIENCE_PREVIEW,
});

export const SAVE_TEXT = strict(
  {
    name: line(100, { description: 'The name of the text in menus.' }),
    ...TEXT,
    translations: optional(translations),
  },
  { examples: [{ name: 'Closed', subject: 'School is closed tomorrow', body: 'The heating has failed.' }] },
);

export const SAVED_TEXT = named('SavedText', {
  id: Type.String(),
  ...Type.Required(SAVE_TEXT).properties,
  updated_at: stamp,
});
