import { domainToASCII } from 'node:url';
import { type Static, Type } from 'typebox';
import { type FieldFault, fault } from '../core/errors.ts';
import { line, nullable, oneOf, optional, strict } from '../core/schema.ts';
import { ROLES, type Scope } from './caller.ts';
import { email, ids, phone, zone } from './schema.ts';

export const LOCALES = ['en', 'cs'] as const;
/** The languages of messages and pages. */
export type Locale = (typeof LOCALES)[number];

/** The fields of a person that staff or an import set. */
export const PUT_CONTACT = strict(
  {
    name: line(200),
    email: optional(nullable(email)),
    phone: optional(nullable(phone)),
    roles: optional(Type.Array(oneOf(ROLES), { maxItems: 50 })),
    class_ids: optional(ids),
    grade_level_ids: optional(ids),
    department_ids: optional(ids),
    guardians: optional({ ...ids, description: 'The user ids of the guardians.' }),
    locale: optional(nullable(oneOf(LOCALES))),
    timezone: optional(nullable(zone)),
  },
  {
    'x-read-only': ['updated_at', 'in_roster', 'left_at'],
    examples: [
      { name: 'Eva Nováková', email: 'eva@example.org', phone: '+420601234567', roles: ['parent'], locale: 'cs' },
    ],
  },
);

type ContactFields = { user_id: string } & Required<Static<typeof PUT_CONTACT>>;
export type ContactInput = { user_id: string } & Static<typeof PUT_CONTACT>;

/** A person of the directory. `locale` and `timezone` null: the school's. */
export type Contact = Scope &
  ContactFields & {
    updated_at: Date;
    /** set if a roster brought this person: only such people can be missing from a later roster */
    in_roster?: boolean;
    /** when a roster no longer had the person, who gets no messages since then; missing: has not left */
    left_at?: Date;
  };

/** The addresses of a person, as `sameAddressForm` gives them. */
export const addressesOf = ({ email, phone }: Pick<Contact, 'email' | 'phone'>): string[] =>
  [email, phone].flatMap((address) => (address === null ? [] : sameAddressForm(address)));

/** The canonical form of an address, equal for all of its spellings: used to compare, never to send. */
export function sameAddressForm(address: string): string {
  const form = address.trim().toLowerCase();
  // Only addresses with non-ASCII letters or quotes have more than one spelling.
  return needsSmtpUtf8(form) || form.startsWith('"') ? (emailAddress(form)?.toLowerCase() ?? form) : form;
}

/** Non-ASCII letters (RFC 6531), without blanks, control characters and invisible characters. */
const INTERNATIONAL = '(?![ -~])[\\p{L}\\p{N}\\p{M}\\p{S}]';
const ATOM = `(?:[A-Za-z0-9!#$%&'*+\\-/=?^_\`{|}~]|${INTERNATIONAL})+`;
const DOT_ATOM = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`, 'u');
const QUOTED = new RegExp(`^"(?:[ -!#-[\\]-~]|\\\\[ -~]|${INTERNATIONAL})+"$`, 'u');
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
const OCTETS = { local: 64, whole: 254 } as const;

/**
 * The wire form of an address (RFC 5321, 4.1.2; RFC 6531), for envelope and header: the domain in ASCII (IDNA), the local part
 * in NFC without needless quotes.
 * @returns null if it is not a single mailbox: a name, a comment, a list, an IP address, blanks or control characters
 */
export function emailAddress(text: string): string | null {
  const at = text.lastIndexOf('@');
  const local = localPart(text.slice(0, at));
  const domain = asciiDomain(text.slice(at + 1));
  if (at < 1 || local === null || domain === null) return null;
  const whole = `${local}@${domain}`;
  return Buffer.byteLength(local) <= OCTETS.local && Buffer.byteLength(whole) <= OCTETS.whole ? whole : null;
}

/** Whether a text is a plain mailbox address of the internet, whose domain has a dot; may contain non-ASCII letters. */
export const isEmail = (text: string): boolean =>
  text.length <= OCTETS.whole && /@[^@]+\.[^@]+$/.test(emailAddress(text) ?? '');

/** Whether a mail server must support SMTPUTF8 (RFC 6531) to accept this address. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: US-ASCII begins with them
export const needsSmtpUtf8 = (address: string): boolean => !/^[\x00-\x7f]*$/.test(address);

function localPart(text: string): string | null {
  const local = text.normalize('NFC');
  if (DOT_ATOM.test(local)) return local;
  if (!QUOTED.test(local)) return null;
  const meant = local.slice(1, -1).replace(/\\(.)/gu, '$1');
  return DOT_ATOM.test(meant) ? meant : `"${meant.replace(/["\\]/g, '\\$&')}"`;
}

function asciiDomain(domain: string): string | null {
  if (DOMAIN.test(domain)) return domain;
  // `domainToASCII` would drop or repair invalid characters instead of refusing them.
  const ascii = /^[\p{L}\p{N}\p{M}.-]+$/u.test(domain) ? domainToASCII(domain) : '';
  return DOMAIN.test(ascii) ? ascii : null;
}

/** Whether a text is a phone number in E.164, with the plus sign. */
export const isPhone = (text: string): boolean => /^\+[1-9]\d{6,14}$/.test(text);

/** Characters that break or reorder a line: names with bidirectional controls can pretend to be other names. */
const BREAKING = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/u;

/** Whether a text is one line that can be seen, without control characters and lone surrogates. */
export const isLine = (text: string): boolean =>
  !BREAKING.test(text) && /[^\s\p{Default_Ignorable_Code_Point}]/u.test(text);

/** Checks that a person is not their own guardian. */
export const guardianFaults = ({ user_id, guardians = [] }: ContactInput): FieldFault[] =>
  guardians.flatMap((one, at) =>
    one === user_id ? [fault(`/guardians/${at}`, 'must be another person', 'own_guardian')] : [],
  );

/** The contact with a value in every field. */
export const completed = (given: ContactInput): ContactFields => ({
  user_id: given.user_id,
  name: given.name.trim(),
  email: given.email ?? null,
  phone: given.phone ?? null,
  roles: unique(given.roles),
  class_ids: unique(given.class_ids),
  grade_level_ids: unique(given.grade_level_ids),
  department_ids: unique(given.department_ids),
  guardians: unique(given.guardians),
  locale: given.locale ?? null,
  timezone: given.timezone ?? null,
});

const unique = <T>(list: readonly T[] = []): T[] => [...new Set(list)];
