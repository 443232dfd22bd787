import { descriptorOf } from '../../people/channels.ts';
import { type Contact, type Locale, sameAddressForm } from '../../people/contact.ts';
import type { Person } from './readers.ts';
import type { Channel } from './trigger.ts';

/** A recipient before an address is found: a person and their registration, if any. */
export type Recipient = {
  user_id: string;
  contact: Contact | null;
  /** the people whom the message concerns, if not the recipient alone */
  concerns?: readonly Person[];
  registration_id: string | null;
  /** when their first meeting begins, in minutes after the event, if they have chosen one */
  first_minute?: number | undefined;
  /** number of the confirmation, so that each has its own delivery key */
  confirmation: number;
  /** addresses entered with the registration, preferred to the directory's */
  snapshot: { email: string | null; phone: string | null } | null;
  /** the user who entered them */
  registered_by: string | null;
};

/** The reader and address of a message, and the people it concerns. */
export type Destination = {
  user_id: string;
  name: string;
  address: string | null;
  /** the user who entered this address with a registration, if it is not in the directory and so unverified */
  given_by: string | null;
  locale: Locale | null;
  timezone: string | null;
  on_behalf_of: { user_id: string; name: string }[];
};

/**
 * The destinations of one recipient on one channel: the registration's own address, else the directory's, else a student's
 * guardians. If the registration's address is a guardian's in the directory, the guardian is the reader. Empty if there is
 * none, which is recorded as `no_contact`.
 * @param guardians of the recipient, as far as they are in the directory
 * @param hasPush whether a person has a browser subscribed
 */
export function destinationsOf(
  recipient: Recipient,
  channel: Channel,
  guardians: readonly Contact[],
  hasPush: (user_id: string) => boolean,
): Destination[] {
  const { contact, user_id } = recipient;
  const own = {
    user_id,
    name: contact?.name ?? '',
    locale: contact?.locale ?? null,
    timezone: contact?.timezone ?? null,
    given_by: null,
    on_behalf_of: [...(recipient.concerns ?? [])],
  };
  const { reaches } = descriptorOf(channel);
  if (reaches === 'person') return [{ ...own, address: null }];
  const reach = (person: Contact | null): string | null =>
    (reaches === 'email' ? person?.email : person?.phone) ?? null;
  const ofGuardian = (guardian: Contact): Destination => ({
    user_id: guardian.user_id,
    name: guardian.name,
    address: reaches === 'subscription' ? null : reach(guardian),
    given_by: null,
    locale: guardian.locale,
    timezone: guardian.timezone,
    on_behalf_of: [{ user_id, name: contact?.name ?? '' }],
  });
  if (reaches === 'subscription') {
    if (hasPush(user_id)) return [{ ...own, address: null }];
  } else {
    const directory = reach(contact);
    const given = (reaches === 'email' ? recipient.snapshot?.email : recipient.snapshot?.phone) ?? directory;
    if (given) {
      if (isSame(given, directory)) return [{ ...own, address: directory }];
      const owner = guardians.find((guardian) => isSame(given, reach(guardian)));
      return owner ? [ofGuardian(owner)] : [{ ...own, address: given, given_by: recipient.registered_by ?? user_id }];
    }
  }
  return guardians
    .filter((guardian) => (reaches === 'subscription' ? hasPush(guardian.user_id) : reach(guardian) !== null))
    .map(ofGuardian);
}

const isSame = (given: string, known: string | null): boolean =>
  known !== null && sameAddressForm(given) === sameAddressForm(known);
