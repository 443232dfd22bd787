import { byUserId } from '../../core/groups.ts';
import type { Fact } from '../../outbox/fact.ts';
import { type Channel, descriptorOf } from '../../people/channels.ts';
import { type Contact, sameAddressForm } from '../../people/contact.ts';
import type { RegistrationState } from '../../registrations/registration.ts';
import type { Delivery, Person, Reader } from '../delivery.ts';
import { ruleOf } from './trigger-table.ts';

/** What the directory says now of the people in a message. A field is missing if the message has just been drafted from it. */
export type Ties = {
  /** people who have left the school since */
  left?: ReadonlySet<string>;
  /** the guardians of each child that it names; a child whom the directory no longer has is missing */
  guardians?: ReadonlyMap<string, readonly string[]>;
};

/** @param contacts of all people whom messages name */
export const tiesOf = (contacts: readonly Pick<Contact, 'user_id' | 'left_at' | 'guardians'>[]): Ties => ({
  left: new Set(contacts.flatMap(({ user_id, left_at }) => (left_at ? user_id : []))),
  guardians: new Map(contacts.map(({ user_id, guardians }) => [user_id, guardians])),
});

type Row = Pick<Delivery, 'user_id' | 'name' | 'on_behalf_of' | 'also'>;

/** All distinct readers of the row's address; first the person it was drafted for. */
export function readersOf({ user_id, name, on_behalf_of, also }: Row): Reader[] {
  const own = { user_id, name, on_behalf_of };
  const readers = new Map<string, Reader>();
  for (const reader of [own, ...also]) {
    const known = readers.get(reader.user_id);
    readers.set(reader.user_id, known ? withSubjects(known, subjectsOf(reader)) : reader);
  }
  return [...readers.values()];
}

/**
 * Whether a message is about its reader alone, so that an answer can mean no one else. An address that a registration gave is
 * not verified, so its reader can't answer.
 */
export const isForReaderAlone = ({ also, on_behalf_of, given_by }: Delivery): boolean =>
  also.length === 0 && on_behalf_of.length === 0 && given_by === null;

/** The ids of all whose opt-outs apply to the message: its readers, and the owners of an unverified address. */
export const consentingIds = (row: Row & Pick<Delivery, 'address_owners'>): string[] => [
  ...readersOf(row).map(({ user_id }) => user_id),
  ...row.address_owners,
];

/** The people a message concerns, for one reader. */
export const subjectsOf = ({ user_id, name, on_behalf_of }: Reader): Person[] =>
  on_behalf_of.length > 0 ? on_behalf_of : [{ user_id, name }];

/** The distinct ids of the people whom messages concern. */
export const subjectIdsOf = (rows: readonly Row[]): string[] =>
  distinctIds(rows.flatMap(readersOf).flatMap(subjectsOf));

/** The distinct ids of the people who read messages, and of those whom they concern. */
export const namedIdsOf = (rows: readonly Row[]): string[] =>
  distinctIds(rows.flatMap(readersOf).flatMap((reader) => [reader, ...subjectsOf(reader)]));

const distinctIds = (people: readonly Person[]): string[] => [...new Set(people.map(({ user_id }) => user_id))];

function withSubjects(reader: Reader, more: readonly Person[]): Reader {
  const subjects = byUserId([...subjectsOf(reader), ...more]);
  const onlySelf = subjects.size === 1 && subjects.has(reader.user_id);
  return { ...reader, on_behalf_of: onlySelf ? [] : [...subjects.values()] };
}

/** The row with the readers, subjects and registrations of another draft of the same key added, due as early as either. */
export function withReadersOf(row: Delivery, draft: Delivery): Delivery {
  const registration_ids = [...new Set([...row.registration_ids, ...draft.registration_ids])];
  const [own, ...also] = readersOf({ ...row, also: [...row.also, ...readersOf(draft)] });
  // Of a guardian's children the one with the first meeting decides when their reminder is due.
  const due_at = new Date(Math.min(+row.due_at, +draft.due_at));
  return { ...row, ...own, also, registration_ids, due_at };
}

/** Whether a draft of the same key has a reader, subject or registration that the row lacks. */
export const addsReaders = (row: Delivery, draft: Delivery): boolean => sizeOf(withReadersOf(row, draft)) > sizeOf(row);

/** How many readers, subjects and registrations a row names: a change that adds one makes it larger. */
const sizeOf = (row: Delivery): number => readersOf(row).flatMap(subjectsOf).length + row.registration_ids.length;

/**
 * The readers with at least one subject whose registration is still valid, each with those subjects only. A message about no
 * registration keeps all its readers.
 */
export function remainingReaders(delivery: Delivery, registrations: readonly RegistrationState[]): Reader[] {
  const readers = readersOf(delivery);
  if (delivery.registration_ids.length === 0) return readers;
  const { holds } = ruleOf(delivery.trigger);
  const holders = new Set(registrations.flatMap(({ status, user_id }) => (holds.includes(status) ? [user_id] : [])));
  return readersAbout(readers, (user_id) => holders.has(user_id));
}

/** The readers at the school who have a subject at the school, each with those subjects only. */
export function presentReaders(readers: readonly Reader[], { left }: Ties): readonly Reader[] {
  if (!left) return readers;
  const isPresent = (user_id: string) => !left.has(user_id);
  return readersAbout(readers, isPresent).filter(({ user_id }) => isPresent(user_id));
}

/**
 * The readers at the school without those who are guardians no more; each with the other subjects only.
 * @param ties also the registrations that the message is about
 */
export function entitledReaders(
  readers: readonly Reader[],
  ties: Ties & { registrations?: readonly RegistrationState[] },
): readonly Reader[] {
  const present = presentReaders(readers, ties);
  const { guardians, registrations = [] } = ties;
  if (!guardians) return present;
  const hasRegistered = (child: string, user_id: string) =>
    registrations.some((one) => one.user_id === child && one.by_token_guardian && one.registered_by === user_id);
  return readersAbout(
    present,
    (id, { user_id }) => id === user_id || guardians.get(id)?.includes(user_id) === true || hasRegistered(id, user_id),
  );
}

/** The readers with at least one of the wanted subjects, each with those only. */
const readersAbout = (readers: readonly Reader[], isWanted: (user_id: string, reader: Reader) => boolean): Reader[] =>
  readers.flatMap((reader) => {
    const subjects = subjectsOf(reader).filter(({ user_id }) => isWanted(user_id, reader));
    if (subjects.length === 0) return [];
    return [{ ...reader, on_behalf_of: reader.on_behalf_of.length === 0 ? [] : subjects }];
  });

/**
 * The address while one of the entitled readers has it, else that of the first who has any; null: none has. Unverified ones
 * stay, and so do those of messages to which no one is entitled any more.
 */
export function currentAddress(row: Delivery, contacts: ReadonlyMap<string, Contact>, ties: Ties): string | null {
  const { reaches } = descriptorOf(row.channel);
  if ((reaches !== 'email' && reaches !== 'phone') || row.given_by !== null) return row.address;
  const known = entitledReaders(readersOf(row), ties).flatMap(({ user_id }) => contacts.get(user_id) ?? []);
  if (known.length === 0) return row.address;
  const addresses = known.flatMap((contact) => contact[reaches] ?? []);
  return addresses.some((one) => isSame(one, row.address)) ? row.address : (addresses[0] ?? null);
}

/** A recipient before an address is found: a person and their registration, if any. */
export type Recipient = {
  user_id: string;
  contact: Contact | null;
  /** the people whom the message concerns, if not the recipient alone */
  concerns?: readonly Person[];
  registration_id: string | null;
  /** when their first meeting begins, in minutes after the event, if they have chosen one */
  first_minute?: number;
  /** addresses entered with the registration, preferred to the directory's */
  snapshot: { email: string | null; phone: string | null } | null;
  /** the user who entered them */
  registered_by: string | null;
  /** that user is a guardian whom only the token named */
  by_token_guardian?: true;
};

/** A guardian as a reader of messages; without addresses if the directory does not have the person. */
export type Guardian = Pick<Contact, 'user_id' | 'name' | 'email' | 'phone' | 'locale' | 'timezone'>;

/** Leaves out what only registered people have. */
export const UNREGISTERED = { registration_id: null, snapshot: null, registered_by: null } as const;

/** The reader and address of a message, and the people it concerns. */
export type Destination = Pick<Delivery, 'user_id' | 'name' | 'address' | 'given_by' | 'on_behalf_of'> &
  Pick<Contact, 'locale' | 'timezone'>;

/** The recipient as reader, without an address. */
export const withoutAddress = ({ user_id, contact, concerns = [] }: Recipient): Destination => ({
  user_id,
  name: contact?.name ?? '',
  address: null,
  given_by: null,
  locale: contact?.locale ?? null,
  timezone: contact?.timezone ?? null,
  on_behalf_of: [...concerns],
});

/**
 * The destinations of one recipient on one channel: the registration's own address, else the directory's, else a student's
 * guardians. If the registration's address is a guardian's in the directory, the guardian is the reader. Empty if there is
 * none, which is recorded as `no_contact`. The guardian who registered a child reads its messages in the inbox, as the child does.
 * @param guardians of the recipient
 * @param hasPush whether a person has a browser subscribed
 */
export function destinationsOf(
  recipient: Recipient,
  channel: Channel,
  guardians: readonly Guardian[],
  hasPush: (user_id: string) => boolean,
): Destination[] {
  const { contact, user_id } = recipient;
  const own = withoutAddress(recipient);
  const { reaches } = descriptorOf(channel);
  const reach = (person: Guardian | null): string | null =>
    reaches === 'subscription' || reaches === 'person' ? null : (person?.[reaches] ?? null);
  const ofGuardian = (guardian: Guardian): Destination => ({
    user_id: guardian.user_id,
    name: guardian.name,
    address: reach(guardian),
    given_by: null,
    locale: guardian.locale,
    timezone: guardian.timezone,
    on_behalf_of: [{ user_id, name: contact?.name ?? '' }],
  });
  if (reaches === 'person')
    return [own, ...guardians.filter((one) => one.user_id === recipient.registered_by).map(ofGuardian)];
  if (reaches === 'subscription') {
    if (hasPush(user_id)) return [own];
  } else {
    const directory = reach(contact);
    const given = recipient.snapshot?.[reaches] ?? directory;
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

/** Since when people may have been notified of the change that the fact takes back; null if it takes none back. */
export const undoneSince = (fact: Fact): Date | null =>
  fact.type === 'event.changed' ? (fact.data.told_since ?? null) : null;
