import type { SchoolEvent } from '../../events/event.ts';
import type { Role } from '../../people/caller.ts';
import { descriptorOf } from '../../people/channels.ts';
import { type Contact, type Locale, sameAddressForm } from '../../people/contact.ts';
import { maySee } from '../../people/visibility.ts';
import type { Channel } from './trigger.ts';

/** A recipient before an address is found: a person and their registration, if any. */
export type Recipient = {
  user_id: string;
  contact: Contact | null;
  registration_id: string | null;
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

const ROLES_OF = {
  students: ['student'],
  parents: ['parent'],
  staff: ['staff', 'admin'],
  external: ['external'],
} as const;

/** Roles of a target audience, for the directory query; null for everyone. */
export function rolesOfAudience(event: Pick<SchoolEvent, 'target_audience'>): Role[] | null {
  if (event.target_audience.includes('all') || event.target_audience.length === 0) return null;
  return event.target_audience.flatMap((audience) => (audience === 'all' ? [] : [...ROLES_OF[audience]]));
}

/**
 * Whether a contact gets the announcement of an event: audience, class and grade match, and the contact may see the event
 * (decisions.md, "recipients"). A parent also matches through a child.
 */
export function isInAudience(contact: Contact, children: readonly Contact[], event: SchoolEvent): boolean {
  const roles = rolesOfAudience(event);
  if (roles && !contact.roles.some((role) => roles.includes(role))) return false;
  if (![contact, ...children].some((person) => isInClassAndGrade(person, event))) return false;
  return maySee({ ...contact, children }, event);
}

/** The ids of contacts who may have children at the school. */
export function parentsAmong(contacts: readonly Contact[]): string[] {
  const parents: string[] = [];
  for (const { roles, user_id } of contacts) if (roles.includes('parent')) parents.push(user_id);
  return parents;
}

/** Children by each of their guardians. */
export function groupByGuardian(children: readonly Contact[]): Map<string, Contact[]> {
  const byGuardian = new Map<string, Contact[]>();
  for (const child of children) {
    for (const guardian of child.guardians) byGuardian.set(guardian, [...(byGuardian.get(guardian) ?? []), child]);
  }
  return byGuardian;
}

/** Whether the event is for this person's class and grade, or for all classes and grades. */
export const isInClassAndGrade = (person: Contact, event: SchoolEvent): boolean =>
  (event.class_id === null || person.class_ids.includes(event.class_id)) &&
  (event.grade_level_ids.length === 0 || person.grade_level_ids.some((grade) => event.grade_level_ids.includes(grade)));

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
    on_behalf_of: [],
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
