import { byUserId } from '../../core/groups.ts';
import { fromKeys } from '../../core/objects.ts';
import { searchWords } from '../../core/plain-text.ts';
import { GROUP_LISTS, type GroupList, type Role } from '../caller.ts';
import { type Contact, isEmail, isPhone, sameAddressForm } from '../contact.ts';

/** The first of several addresses in a cell. @returns null if it is not an e-mail address */
export function readEmail(cell: string): string | null {
  const [first = ''] = cell.replace(/^mailto:/i, '').split(/[,;\s]+/);
  return isEmail(first) ? first : null;
}

/**
 * The first of several phone numbers in a cell, in E.164.
 * @param country the code of a number of nine digits without one, as in Czechia; null: such numbers are invalid
 */
export function readPhone(cell: string, country: string | null): string | null {
  const [first = ''] = cell.split(/[,;]/);
  const digits = first.replace(/[\s().\-/\u00a0]/g, '').replace(/^00/, '+');
  const number = country && /^\d{9}$/.test(digits) ? `+${country}${digits}` : digits;
  return isPhone(number) ? number : null;
}

/** The words of roles as schools' programs export them (searchWords), in English and Czech. */
const ROLE_WORDS: readonly (readonly [Role, readonly string[]])[] = [
  ['student', ['student', 'students', 'pupil', 'zak', 'zakyne', 'zaci']],
  ['staff', ['teacher', 'staff', 'aide', 'counselor', 'proctor', 'ucitel', 'ucitelka', 'zamestnanec', 'zamestnanci']],
  ['staff', ['asistent', 'asistentka', 'vychovatel', 'vychovatelka']],
  ['admin', ['principal', 'administrator', 'districtadministrator', 'siteadministrator', 'systemadministrator']],
  ['admin', ['admin', 'administration', 'reditel', 'reditelka', 'vedeni']],
  // A deputy head is no "zákonný zástupce".
  ['admin', ['zastupce reditele', 'zastupce reditelky', 'zastupkyne reditele', 'zastupkyne reditelky']],
  ['parent', ['parent', 'parents', 'guardian', 'relative', 'rodic', 'rodice', 'zastupce']],
  ['external', ['external', 'visitor', 'visitors', 'navstevnik', 'verejnost']],
];

const ROLE_OF = new Map(ROLE_WORDS.flatMap(([role, words]) => words.map((word) => [word, role] as const)));

/** The role that a cell names; null: none that is known. */
export function readRole(cell: string): Role | null {
  const words = searchWords(cell);
  const pairs = words.map((word, at) => `${word} ${words[at + 1]}`);
  return [...pairs, ...words].flatMap((name) => ROLE_OF.get(name) ?? [])[0] ?? null;
}

/** The name of a group without case, punctuation, leading zeros and its kind: `class-5a`, `5. A` and `5.A` are equal. */
const foldedGroup = (id: string): string =>
  searchWords(id)
    .filter((word) => !/^(class|grade|department|dept|trida|rocnik)$/.test(word))
    .join('')
    .replace(/^0+(?=\d)/, '');

/** Whether two names have the same words in any order. */
export const foldedName = (name: string): string => searchWords(name).sort().join(' ');

/** The directory of a school, as an import looks people and groups up. */
export type Directory = {
  people: ReadonlyMap<string, Contact>;
  /** the id of the group that is written like this; a name that is new becomes the id, also of its other spellings */
  groupId(kind: GroupList, name: string): string;
  hasGroup(kind: GroupList, name: string): boolean;
  /** whether it had classes before the import */
  hasClasses: boolean;
};

export function directoryOf(contacts: readonly Contact[]): Directory {
  const ids = fromKeys(GROUP_LISTS, () => new Map<string, string>());
  for (const contact of contacts)
    for (const kind of GROUP_LISTS) for (const id of contact[kind]) ids[kind].set(foldedGroup(id), id);
  return {
    people: byUserId(contacts),
    groupId(kind, name) {
      const id = ids[kind].get(foldedGroup(name)) ?? name;
      ids[kind].set(foldedGroup(name), id);
      return id;
    },
    hasGroup: (kind, name) => ids[kind].has(foldedGroup(name)),
    hasClasses: ids.class_ids.size > 0,
  };
}

type Identity = { name: string; email?: string | null; phone?: string | null; roles: readonly Role[] };

/**
 * Gives people without an own id the id of the person who has the same address and the same name and is a pupil like them or
 * not, in the directory or earlier in the file, else `alike`, who may have had another address; otherwise their address becomes
 * the id. @returns null if they have no address
 */
export function identifier(
  contacts: Iterable<Contact>,
): (person: Identity, own: string, alike?: string) => string | null {
  const known = new Map<string, string>();
  const taken = new Set<string>();
  // Father and son may share a name and an address.
  const keysOf = ({ name, email, phone, roles }: Identity): string[] =>
    [email, phone].flatMap((address) =>
      address ? roles.map((role) => `${role === 'student'} ${sameAddressForm(address)} ${foldedName(name)}`) : [],
    );
  const remember = (person: Identity, user_id: string) => {
    taken.add(user_id);
    for (const key of keysOf(person)) if (!known.has(key)) known.set(key, user_id);
  };
  for (const contact of contacts) remember(contact, contact.user_id);
  return (person, own, alike) => {
    const address = person.email ?? person.phone;
    if (!address) return own || null;
    const found = keysOf(person).flatMap((key) => known.get(key) ?? [])[0];
    // A family may share an address.
    const plain = sameAddressForm(address);
    const user_id = own || (found ?? alike ?? (taken.has(plain) ? `${plain} ${foldedName(person.name)}` : plain));
    remember(person, user_id);
    return user_id;
  };
}
