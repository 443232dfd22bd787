import { Type } from 'typebox';
import { EVENT_STATUSES } from '../../events/event.ts';
import { REASONS, type Reason } from '../../notifications/delivery.ts';
import { byChannel, CHANNELS } from '../../people/channels.ts';
import { FAULT, named, oneOf, optional, refTo, stamp } from '../schemas/fields.ts';
import { CLASHES } from './clash-schema.ts';
import { EVENT, OCCURRENCES } from './event-schema.ts';

const COUNTED = Type.Object({
  told: Type.Integer({ description: 'How many messages would be sent.' }),
  skipped: Type.Partial(Type.Record(Type.Enum(Object.keys(REASONS) as Reason[]), Type.Integer()), {
    description: 'How many messages would not be sent, by reason.',
  }),
});

/** The answer of an operation with `dry_run`: what would happen. */
export const DRY_RUN_RESULT = named('DryRunResult', {
  dry_run: Type.Literal(true),
  status: oneOf([...EVENT_STATUSES, 'deleted'], { description: 'The status that the event would have.' }),
  event: Type.Union([refTo(EVENT), Type.Null()], {
    description: 'The event as it would be. Null if it would be deleted.',
  }),
  changed_events: Type.Integer({ description: 'How many events would change. More than one for a series.' }),
  occurrences: optional(OCCURRENCES),
  audience: Type.Object(
    byChannel(() => optional(COUNTED)),
    { description: 'How many people would be notified, by channel. Empty if no one would be.' },
  ),
  reminders: Type.Object(
    {
      planned: Type.Array(
        Type.Object({
          type: oneOf(CHANNELS),
          offset: Type.Integer({ description: 'Minutes before the event.' }),
          due_at: stamp,
          status: oneOf(['planned', 'past_due'], {
            description: '`past_due`: the time of the reminder has passed already.',
          }),
        }),
      ),
      dropped: Type.Integer({ description: 'How many planned reminders would be removed.' }),
    },
    { description: 'The reminders of the event as they would be.' },
  ),
  people: Type.Integer({ description: 'How many people would be notified, on any channel.' }),
  sms_segments: Type.Integer({
    description: 'How many SMS parts you would pay for. A long message has several parts.',
  }),
  estimated_seconds: Type.Integer({
    description: 'Seconds until the last message is sent, including the messages that are queued now.',
  }),
  warnings: Type.Array(FAULT, {
    description: 'Fields of the event that make no sense together, such as a deadline after the start.',
  }),
  promotions: Type.Integer({ description: 'How many people would get a seat from the waitlist.' }),
  clashes: refTo(CLASHES),
});
