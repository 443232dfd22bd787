import { fromKeys } from '../../../src/core/objects.ts';
import type { EventStatus, SchoolEvent } from '../../../src/events/event.ts';
import type { Delivery, Reason } from '../../../src/notifications/delivery.ts';
import { type Now, reasonToStop } from '../../../src/notifications/policy/gate.ts';
import { ALL_TRIGGERS } from '../../../src/notifications/policy/trigger.ts';
import { ruleOf, type Trigger } from '../../../src/notifications/policy/trigger-table.ts';
import type { FactType } from '../../../src/outbox/fact.ts';
import type { RegistrationStatus } from '../../../src/registrations/registration.ts';
import { anEvent, aRegistration, NOW } from '../../support/builders.ts';
import { aDelivery, aFact } from '../../support/message-builders.ts';

/** For each trigger the fact behind it, and a state of the event in which it is true. */
export const TRUE_IN = fromKeys(ALL_TRIGGERS, (trigger): [FactType, EventStatus] => {
  const { fact, fits } = ruleOf(trigger);
  return [fact, fits[0] as EventStatus];
});

export const REGISTERED = ALL_TRIGGERS.filter((trigger) => trigger !== 'event.published');

/** The registration status that a message announces; other messages concern confirmed registrations here. */
const NOTIFIED_STATUS: Partial<Record<Trigger, RegistrationStatus>> = {
  'registration.pending': 'pending',
  'registration.waitlisted': 'waitlisted',
  'registration.declined': 'cancelled',
  'registration.cancelled': 'cancelled',
};

export const REMINDER = { type: 'email', offset: 60 } as const;

type GateInput = { delivery: Delivery; now: Now };

/** A message that passes the gate; each test breaks one condition. */
export function aMessage(
  trigger: Trigger,
  event: Partial<SchoolEvent> = {},
  now: Partial<Now> = {},
  row: Partial<Delivery> = {},
): GateInput {
  const [type, status] = TRUE_IN[trigger];
  const registration = aRegistration({ status: NOTIFIED_STATUS[trigger] ?? 'confirmed' });
  const registrations = trigger === 'event.published' ? [] : [registration];
  return {
    delivery: aDelivery({ trigger, registration_ids: registrations.map(({ id }) => id), ...row }),
    now: {
      event: anEvent({ status, published_at: NOW, reminders: [REMINDER], asks_acknowledgement: true, ...event }),
      fact: aFact(type, type === 'reminder.due' ? REMINDER : {}, { occurred_at: NOW }),
      registrations,
      preferences: new Map(),
      suppressed: new Set(),
      at: NOW,
      ...now,
    },
  };
}

export const reason = ({ delivery, now }: GateInput): Reason | null => reasonToStop(delivery, now);
