import { byId, byUserId, mapBy } from '../../core/groups.ts';
import { type Fact, factsOfDates } from '../../outbox/fact.ts';
import { loadContacts } from '../../people/audience.ts';
import { descriptorOf } from '../../people/channels.ts';
import { addressesOf, completed, sameAddressForm } from '../../people/contact.ts';
import { guardianIdsOf } from '../../registrations/registration.ts';
import type { Occasion, People } from '../policy/draft-deliveries.ts';
import { datesOf, existingDates } from '../policy/gate.ts';
import type { Guardian, Recipient } from '../policy/recipients.ts';
import { channelsOf, triggerOf } from '../policy/trigger.ts';
import type { NotificationStores } from '../ports.ts';

/** Loads the data that all rows of a fact share; null if the fact notifies no one, or if none of its events exists. */
export async function loadOccasion(
  deps: NotificationStores & Pick<Occasion, 'openChannels' | 'textVersion'>,
  fact: Fact,
): Promise<Occasion | null> {
  const trigger = triggerOf(fact);
  if (!trigger) return null;
  const event_ids = factsOfDates(fact).map(({ event_id }) => event_id);
  const [events, school] = await Promise.all([deps.events.findMany(event_ids), deps.schools.find(fact)]);
  const dates = existingDates(datesOf(fact, byId(events)));
  const [date] = dates;
  if (!date) return null;
  const { openChannels, textVersion } = deps;
  return { fact, trigger, event: date.event, dates, school, openChannels, textVersion };
}

/** Loads guardians, owners of given addresses, push subscriptions and preferences of a whole batch in a few reads. */
export async function loadPeople(
  deps: NotificationStores,
  occasion: Occasion,
  recipients: readonly Recipient[],
): Promise<People> {
  const { event } = occasion;
  const given = [...new Set(recipients.flatMap(givenAddresses))];
  const [known, owners] = await Promise.all([
    loadContacts(
      deps,
      event,
      recipients.flatMap((one) => guardianIdsOf(one.contact, one)),
    ),
    given.length > 0 ? deps.contacts.findByAddresses(event, given) : [],
  ]);
  const guardiansOf = (recipient: Recipient) =>
    guardianIdsOf(recipient.contact, recipient).flatMap((user_id): Guardian[] =>
      known.get(user_id)?.left_at ? [] : [known.get(user_id) ?? completed({ user_id, name: '', roles: [] })],
    );
  const ownersByAddress = mapBy(owners, addressesOf);
  const channels = channelsOf(occasion);
  const goesToDevices = channels.some((channel) => descriptorOf(channel).reaches === 'subscription');
  const user_ids = [...new Set([...recipients, ...recipients.flatMap(guardiansOf), ...owners].map(userIdOf))];
  const [preferences, subscriptions] = await Promise.all([
    deps.preferences.findMany(event, user_ids),
    goesToDevices ? deps.pushSubscriptions.findMany(event, user_ids) : [],
  ]);
  const subscribed = new Set(subscriptions.map((row) => row.user_id));
  return {
    guardiansOf,
    hasPush: (user_id) => subscribed.has(user_id),
    ownersOf: (address) => ownersByAddress.get(sameAddressForm(address)) ?? [],
    preferences: byUserId(preferences),
  };
}

const userIdOf = ({ user_id }: { user_id: string }) => user_id;

/** Addresses that were given with a registration and that the directory does not have for the recipient. */
const givenAddresses = ({ contact, snapshot }: Recipient): string[] => {
  if (!snapshot) return [];
  const known = contact ? addressesOf(contact) : [];
  return addressesOf(snapshot).filter((address) => !known.includes(address));
};
