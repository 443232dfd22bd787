import { CHANNELS, type Channel, descriptorOf } from '../../people/channels.ts';
import { type Contact, sameAddressForm } from '../../people/contact.ts';
import type { Senders } from '../channel-adapter.ts';
import type { NotificationStores } from '../ports.ts';
import type { Suppression } from '../providers/suppression.ts';

type Deps = NotificationStores & {
  openChannels: ReadonlySet<Channel>;
  /** of the channels that take a STOP */
  senders: Partial<Record<Channel, Senders>>;
};

/** A person has at most a phone number and an e-mail address, each suppressed once per channel. */
const SUPPRESSIONS = 10;

/**
 * Describes each channel that is set up: the address of the person in the directory, the browsers that are subscribed, the
 * triggers that the person turned off (`*`: all, also by the answer STOP), and what stops messages to the address. Reads only.
 */
export async function describeChannels(deps: Deps, person: Contact) {
  const addresses = [person.email, person.phone].filter((address) => address !== null);
  const [suppressions, stopped, preferences, browsers] = await Promise.all([
    deps.suppressions.list(person, { addresses, limit: SUPPRESSIONS }),
    Promise.all(CHANNELS.map((channel) => findStopOf(deps, person, channel))),
    deps.preferences.find(person, person.user_id),
    deps.pushSubscriptions.findMany(person, [person.user_id]),
  ]);
  const optOuts = [...(preferences?.opted_out ?? []), ...stopped.flat()];
  const wishes = optOuts.map((wish) => wish.split(':'));
  return CHANNELS.filter((channel) => deps.openChannels.has(channel)).map((channel) => {
    const { reaches } = descriptorOf(channel);
    const address = reaches === 'email' || reaches === 'phone' ? person[reaches] : null;
    const isTheirs = (one: Suppression) =>
      one.channel === channel && address && one.address === sameAddressForm(address);
    return {
      channel,
      address,
      browsers: reaches === 'subscription' ? browsers.length : 0,
      opted_out: wishes.flatMap(([trigger = '', of]) => (of === '*' || of === channel ? trigger : [])),
      suppression: suppressions.find(isTheirs) ?? null,
    };
  });
}

/** The STOP of a person to a channel, as if they had turned it off. */
async function findStopOf({ suppressions, senders }: Deps, { phone }: Contact, channel: Channel): Promise<string[]> {
  const stopped = await suppressions.findStopped(senders[channel]?.routine ?? [], phone === null ? [] : [phone]);
  return stopped.size > 0 ? [`*:${channel}`] : [];
}
