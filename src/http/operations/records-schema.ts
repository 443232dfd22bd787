import { Type } from 'typebox';
import { DELIVERY_STATUSES, REASONS, type Reason } from '../../notifications/delivery.ts';
import { CHANNELS, TRIGGERS, type Trigger } from '../../notifications/policy/trigger.ts';
import { SUPPRESSION_KINDS } from '../../notifications/providers/suppression.ts';
import { PLAN_STATUSES } from '../../reminders/plan.ts';
import { nullable, oneOf, stamp, stampOrNull } from '../schemas/fields.ts';

export const TRIGGER = oneOf(Object.keys(TRIGGERS) as Trigger[]);
export const CHANNEL = oneOf(CHANNELS);

/** A thing that happened to one event. */
export const FACT = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    occurred_at: stamp,
    actor: Type.Union(
      [Type.Literal('system'), Type.Object({ user_id: Type.String(), name: nullable(Type.String()) }), Type.Null()],
      { description: '`system`, who did it, or null where that is not for the caller' },
    ),
    data: Type.Object({}, { additionalProperties: true }),
  },
  { $id: 'Fact' },
);

const OUTCOMES = {
  sent: Type.Integer(),
  skipped: Type.Integer(),
  expired: Type.Integer(),
  failed: Type.Integer(),
  open: Type.Integer(),
};

export const PLANNED = Type.Object(
  {
    type: CHANNEL,
    offset: Type.Integer({ description: 'minutes before the event' }),
    due_at: stamp,
    status: oneOf(PLAN_STATUSES, {
      description:
        'past_due: its time had passed when it was planned; expired: the event had begun when it could be sent; ' +
        'dropped: the event was changed',
    }),
    schedule_version: Type.Integer({
      description: 'grows whenever the event is moved; all reminders are planned anew',
    }),
    messages: Type.Object(OUTCOMES, { description: 'what became of the messages to people; open: still on their way' }),
  },
  { $id: 'PlannedReminder' },
);

/** One message to one person on one channel, without the address. */
const OF_A_DELIVERY = {
  id: Type.String(),
  user_id: Type.String(),
  name: Type.String(),
  on_behalf_of: Type.Array(Type.Object({ user_id: Type.String(), name: Type.String() })),
  trigger: TRIGGER,
  channel: CHANNEL,
  status: oneOf(DELIVERY_STATUSES),
  reason: nullable(oneOf(Object.keys(REASONS) as Reason[])),
  reason_text: nullable(Type.String({ description: 'the reason in plain words' })),
  detail: nullable(Type.String({ description: 'the last code of the provider' })),
  provider: nullable(Type.String({ description: 'the server or sender that had it last' })),
  template_version: nullable(Type.String({ description: 'of the text it is sent with, settled when it was drafted' })),
  attempts: Type.Integer(),
  due_at: stamp,
  held_until: stampOrNull,
  expires_at: stampOrNull,
  created_at: stamp,
  settled_at: stampOrNull,
};

export const DELIVERY = Type.Object(OF_A_DELIVERY, { $id: 'Delivery' });

/** So many messages that came to the same. */
export const DELIVERY_OUTCOME = Type.Object({
  trigger: TRIGGER,
  channel: CHANNEL,
  status: OF_A_DELIVERY.status,
  reason: OF_A_DELIVERY.reason,
  count: Type.Integer(),
});

/** One that was given up, with what leads to it. */
export const QUARANTINED = Type.Object(
  { ...OF_A_DELIVERY, event_id: Type.String(), errors: Type.Integer(), crashes: Type.Integer() },
  { $id: 'QuarantinedDelivery' },
);

/** One as those see it who look after deliveries. */
export const OPERATED = Type.Object(
  {
    ...OF_A_DELIVERY,
    event_id: Type.String(),
    address: nullable(Type.String({ description: 'masked, unless revealed; null for push and in-app' })),
    errors: Type.Integer(),
    crashes: Type.Integer(),
  },
  { $id: 'OperatedDelivery' },
);

/** What waits on one channel. */
export const QUEUE = Type.Object({
  channel: CHANNEL,
  due: Type.Integer({ description: 'should be on its way by now' }),
  urgent: Type.Integer({ description: 'of those, ahead of bulk' }),
  later: Type.Integer({ description: 'planned for a later moment' }),
  oldest_due_at: stampOrNull,
  sending: Type.Integer(),
  unknown: Type.Integer({ description: 'the provider has not said what became of it' }),
  quarantined: Type.Integer(),
  is_capped: Type.Boolean({ description: 'there are more than were counted' }),
});

/** What was decided about one person, in words. */
export const WHY = Type.Object(
  {
    trigger: TRIGGER,
    channel: Type.Union([CHANNEL, Type.Null()], { description: 'null: none of them' }),
    at: stamp,
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'a word for programs: of the delivery, or why there is none; null where it was sent',
    }),
    text: Type.String({ description: 'in Czech where Accept-Language asks for it, else in English' }),
  },
  { $id: 'Why' },
);

/** An address that is left alone. */
export const SUPPRESSION = Type.Object(
  {
    id: Type.String(),
    channel: CHANNEL,
    address: Type.String({ description: 'masked' }),
    kind: oneOf(SUPPRESSION_KINDS),
    why: Type.String({ description: 'the code of the provider' }),
    since: stamp,
    until: stampOrNull,
    times: Type.Integer({ description: 'how often it bounced after it had been tried again' }),
  },
  { $id: 'Suppression' },
);
