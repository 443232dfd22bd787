import { Type } from 'typebox';
import { DELIVERY, DELIVERY_STATUSES, REASONS, type Reason } from '../../notifications/delivery.ts';
import { PERSON_OUTCOMES } from '../../notifications/explain/notified-people.ts';
import { EXPLAINED } from '../../notifications/explain/why.ts';
import { ALL_TRIGGERS } from '../../notifications/policy/trigger.ts';
import { SUPPRESSED } from '../../notifications/providers/suppression.ts';
import { CHANNELS } from '../../people/channels.ts';
import { PLAN_STATUSES } from '../../reminders/plan.ts';
import { anyOf, described, listOf, named, nullable, oneOf, stamp, stringOrNull } from '../schemas/fields.ts';

export const TRIGGER = oneOf(ALL_TRIGGERS);
export const CHANNEL = oneOf(CHANNELS);
export const WITH_STATUS = anyOf(oneOf(DELIVERY_STATUSES), 'Only messages with this status.');

/** One entry of the timeline of an event. */
export const FACT = named('Fact', {
  id: Type.String(),
  type: Type.String(),
  occurred_at: { ...stamp, description: 'When it happened.' },
  actor: Type.Union(
    [Type.Literal('system'), Type.Object({ user_id: Type.String(), name: nullable(Type.String()) }), Type.Null()],
    { description: 'Who did it: a person, `system`, or null if you may not see it.' },
  ),
  data: Type.Object({}, { additionalProperties: true, description: 'The details, which depend on the type.' }),
});

export const PLANNED = named('PlannedReminder', {
  type: CHANNEL,
  offset: Type.Integer({ description: 'Minutes before the event.' }),
  due_at: stamp,
  status: oneOf(PLAN_STATUSES, {
    description:
      '`past_due`: its time had passed when it was planned. `expired`: the event began before it was sent. ' +
      '`dropped`: the event was changed.',
  }),
  schedule_version: Type.Integer({
    description: 'Grows whenever the event moves to another time; all reminders are then planned again.',
  }),
  messages: nullable(
    described('How many messages have each result. Null if the messages were deleted after their time.', {
      sent: Type.Integer({ description: 'How many were sent.' }),
      skipped: Type.Integer({ description: 'How many were not sent, with the reason.' }),
      expired: Type.Integer({ description: 'How many became useless before they were sent.' }),
      failed: Type.Integer({ description: 'How many failed.' }),
      open: Type.Integer({ description: 'How many are not finished yet.' }),
    }),
  ),
});

const OF_A_DELIVERY = {
  ...DELIVERY,
  reason_text: stringOrNull('The reason in plain words.'),
};

export const SHOWN_DELIVERY = named('Delivery', OF_A_DELIVERY);

/** How many messages have the same result. */
export const DELIVERY_OUTCOME = Type.Object({
  trigger: TRIGGER,
  channel: CHANNEL,
  status: DELIVERY.status,
  reason: DELIVERY.reason,
  count: Type.Integer({ description: 'How many there are.' }),
});

/** A person with a message about an event. */
export const NOTIFIED_PERSON = Type.Object({
  id: Type.String(),
  trigger: TRIGGER,
  user_id: Type.String(),
  name: Type.String(),
  outcome: oneOf(PERSON_OUTCOMES, {
    description:
      '`reached`: on at least one channel. `waiting`: not yet. `missed`: on no channel. Of several messages, such as two changes, ' +
      'one that missed the person counts; of reminders the best.',
  }),
  reasons: Type.Array(oneOf(Object.keys(REASONS) as Reason[]), {
    description: 'Why messages to the person were not sent.',
  }),
});

export const PEOPLE_COUNTS = listOf('How many people each message has reached.', {
  trigger: TRIGGER,
  reached: Type.Integer({ description: 'How many people got it on at least one channel.' }),
  waiting: Type.Integer({ description: 'How many people have not got it yet.' }),
  missed: Type.Integer({ description: 'How many people got it on no channel.' }),
});

/** A quarantined message with its errors and crashes. */
export const QUARANTINED = named('QuarantinedDelivery', {
  ...OF_A_DELIVERY,
  about: oneOf(['event', 'message'], {
    description:
      'What the notification is about. `event_id` is the id of that event, or of that message of the school.',
  }),
  event_id: Type.String(),
  event_title: stringOrNull('The title of the event. Null if it was deleted or you may not see it.'),
  errors: Type.Integer({ description: 'How many internal errors there were.' }),
  crashes: Type.Integer({ description: 'How many times a process crashed while it sent the message.' }),
});

/** A message as operators see it. */
export const OPERATED = named('OperatedDelivery', {
  ...QUARANTINED.properties,
  address: stringOrNull('The address, masked unless revealed. Null for push and in-app.'),
});

/** How many messages match a filter. */
export const DELIVERY_COUNT = Type.Object({
  messages: Type.Integer({ description: 'How many messages match.' }),
  people: Type.Integer({ description: 'How many different people these messages are for.' }),
  is_capped: Type.Boolean({ description: 'True if there are more than were counted.' }),
});

export const WHY = named('Why', EXPLAINED);
export const SUPPRESSION = named('Suppression', SUPPRESSED);
