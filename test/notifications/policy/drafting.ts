import { draftDeliveries, type Occasion, type People } from '../../../src/notifications/policy/draft-deliveries.ts';
import type { Recipient } from '../../../src/notifications/policy/recipients.ts';
import type { Contact } from '../../../src/people/contact.ts';
import type { Preferences } from '../../../src/people/preferences.ts';
import { aContact, NOW } from '../../support/builders.ts';

const NO_PEOPLE: People = {
  guardiansOf: () => [],
  hasPush: () => false,
  ownersOf: () => [],
  preferences: new Map(),
};

/** The preferences of these people. */
export const preferring = (of: Record<string, Partial<Preferences>>): Pick<People, 'preferences'> => ({
  preferences: new Map(Object.entries(of).map(([id, own]) => [id, { locale: null, opted_out: [], ...own }])),
});

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
