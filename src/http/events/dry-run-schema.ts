import { Type } from 'typebox';
import { EVENT_STATUSES } from '../../events/event.ts';
import { REASONS, type Reason } from '../../notifications/delivery.ts';
import { CHANNELS } from '../../notifications/policy/trigger.ts';
import { oneOf, optional, refTo, stamp } from '../schemas/fields.ts';
import { EVENT } from './event-schema.ts';

const COUNTED = Type.Object({
  told: Type.Integer({ description: 'messages that would go out' }),
  skipped: Type.Partial(Type.Record(Type.Enum(Object.keys(REASONS) as Reason[]), Type.Integer()), {
    description: 'how many would not, by reason',
  }),
});

/** What an operation would do, asked for with `dry_run`. */
export const DRY_RUN_RESULT = Type.Object(
  {
    dry_run: Type.Literal(true),
    status: oneOf([...EVENT_STATUSES, 'deleted'], { description: 'the state it would reach' }),
    event: Type.Union([refTo(EVENT), Type.Null()], { description: 'as it would be; null where it would be gone' }),
    changed_events: Type.Integer({ description: 'with a scope, or occurrences of their own, more than one' }),
    audience: Type.Object(
      Object.fromEntries(CHANNELS.map((channel) => [channel, optional(COUNTED)])) as Record<
        (typeof CHANNELS)[number],
        ReturnType<typeof optional<typeof COUNTED>>
      >,
      { description: 'who would be told; empty where nobody is' },
    ),
    reminders: Type.Object(
      {
        planned: Type.Array(
          Type.Object({
            type: oneOf(CHANNELS),
            offset: Type.Integer({ description: 'minutes before the event' }),
            due_at: stamp,
            status: oneOf(['planned', 'past_due'], { description: 'past_due: its time would have passed already' }),
          }),
        ),
        dropped: Type.Integer({ description: 'planned now and not then, of all changed events' }),
      },
      { description: 'the plan of this event as it would be, and what of the present one it would undo' },
    ),
    people: Type.Integer({ description: 'how many people would be told, on whatever channels' }),
    sms_segments: Type.Integer({ description: 'text messages that would be paid: a long one counts as several' }),
    estimated_seconds: Type.Integer({ description: 'until the last message has left, with what waits already' }),
    promotions: Type.Integer({ description: 'people who would move up from the waitlist' }),
  },
  { $id: 'DryRunResult' },
);
