import type { SchoolEvent } from '../../../src/events/event.ts';
import { draftDeliveries, type Occasion, type People } from '../../../src/notifications/policy/draft-deliveries.ts';
import type { Recipient } from '../../../src/notifications/policy/recipients.ts';
import { triggerOf } from '../../../src/notifications/policy/trigger.ts';
import type { Fact } from '../../../src/outbox/fact.ts';
import { CHANNELS } from '../../../src/people/channels.ts';
import type { Contact } from '../../../src/people/contact.ts';
import { aContact, anEvent, aSchool, NOW } from '../../support/builders.ts';

export const ALL = new Set(CHANNELS);

/** The occasion of a fact about `anEvent`. */
export function occasion(fact: Fact, more: Partial<SchoolEvent> = {}, rest: Partial<Occasion> = {}): Occasion {
  const trigger = triggerOf(fact);
  if (!trigger) throw new Error(`${fact.type} has no trigger`);
  const event = anEvent(more);
  return { fact, trigger, event, dates: [{ event, fact }], school: aSchool(), openChannels: ALL, ...rest };
}

export const NO_PEOPLE: People = { guardiansOf: () => [], hasPush: () => false, localeOf: () => null };

/** A recipient with an address and a phone number, unless `contact` is null. */
export const to = (
  user_id: string,
  contact: Partial<Contact> | null = {},
  more: Partial<Recipient> = {},
): Recipient => ({
  user_id,
  contact: contact && aContact(user_id, { email: `${user_id}@people.example`, phone: '+420601000001', ...contact }),
  registration_id: `registration-${user_id}`,
  snapshot: null,
  registered_by: null,
  ...more,
});

export const draft = (about: Occasion, recipients: Recipient[], people: Partial<People> = {}, now = NOW) =>
  draftDeliveries(about, recipients, { ...NO_PEOPLE, ...people }, now);
