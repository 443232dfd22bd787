import { type FieldFault, fault } from '../core/errors.ts';
import { isZone } from '../core/zoned-time.ts';
import { ROLES, type Role, type Scope } from './caller.ts';
import { type Contact, LOCALES, type Locale } from './contact.ts';
import { isEmail } from './email-address.ts';

/** The fields of a contact that an import may set. */
export type ContactFields = Omit<Contact, keyof Scope | 'updated_at' | 'in_roster' | 'left_at'>;

export const CONTACT_LIMITS = { id: 200, name: 200, email: 254, list: 50, timezone: 64 } as const;

/** Whether a text is a phone number in E.164, with the plus sign. */
export const isPhone = (text: string): boolean => /^\+[1-9]\d{6,14}$/.test(text);

/** Characters that break or reorder a line: names with bidirectional controls can pretend to be other names. */
const BREAKING = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/u;
export const breaksLine = (text: string): boolean => BREAKING.test(text);

/** Whether a text is one non-blank line without control characters and lone surrogates. */
export const isLine = (text: string): boolean => !breaksLine(text) && text.trim() !== '';

const RULES: Record<keyof ContactFields, (value: unknown) => string | null> = {
  user_id: line(CONTACT_LIMITS.id),
  name: line(CONTACT_LIMITS.name),
  email: orNull((value) => isEmail(value), 'must be an e-mail address, such as name@example.org'),
  phone: orNull((value) => isPhone(value), 'must be a phone number with country code, such as +420601234567'),
  roles: listOf((value) => ROLES.includes(value as Role), `must be a list of ${ROLES.join(', ')}`),
  class_ids: listOf(isId, 'must be a list of ids'),
  grade_level_ids: listOf(isId, 'must be a list of ids'),
  department_ids: listOf(isId, 'must be a list of ids'),
  guardians: listOf(isId, 'must be a list of ids'),
  locale: orNull((value) => LOCALES.includes(value as Locale), `must be one of ${LOCALES.join(', ')}`),
  timezone: orNull(
    (value) => value.length <= CONTACT_LIMITS.timezone && isZone(value),
    'must be an IANA time zone, such as Europe/Prague',
  ),
};

/** Parses a contact from any value. @returns the contact, or all of its faults */
export function contactFrom(input: unknown): { contact: ContactFields } | { faults: FieldFault[] } {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { faults: [fault('', 'must be an object', 'type')] };
  }
  const given = input as Record<string, unknown>;
  const faults: FieldFault[] = [];
  for (const field of Object.keys(given)) {
    if (!Object.hasOwn(RULES, field)) faults.push(fault(`/${escaped(field)}`, 'is not a known field', 'unknown'));
  }
  for (const [field, faultOf] of Object.entries(RULES)) {
    const isGiven = Object.hasOwn(given, field);
    const message = faultOf(isGiven ? given[field] : undefined);
    if (message) faults.push(fault(`/${field}`, message, isGiven ? 'format' : 'required'));
  }
  if (faults.length > 0) return { faults };
  const known = given as Partial<ContactFields> & Pick<ContactFields, 'user_id' | 'name'>;
  const contact: ContactFields = {
    user_id: known.user_id,
    name: known.name.trim(),
    email: known.email ?? null,
    phone: known.phone ?? null,
    roles: unique(known.roles),
    class_ids: unique(known.class_ids),
    grade_level_ids: unique(known.grade_level_ids),
    department_ids: unique(known.department_ids),
    guardians: unique(known.guardians),
    locale: known.locale ?? null,
    timezone: known.timezone ?? null,
  };
  return { contact };
}

const unique = <T>(list: readonly T[] | undefined): T[] => [...new Set(list ?? [])];

// Field names are untrusted and returned in the answer, so they are shortened, and escaped by RFC 6901.
const escaped = (field: string): string => field.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');

function line(limit: number): (value: unknown) => string | null {
  return (value) => {
    if (value === undefined) return 'is required';
    if (typeof value !== 'string') return 'must be a string';
    if (value.length > limit) return `must not have more than ${limit} characters`;
    return isLine(value) ? null : 'must not be empty or contain control characters';
  };
}

function orNull(rule: (value: string) => boolean, message: string): (value: unknown) => string | null {
  return (value) => {
    if (value === undefined || value === null) return null;
    return typeof value === 'string' && rule(value) ? null : message;
  };
}

function listOf(rule: (entry: unknown) => boolean, message: string): (value: unknown) => string | null {
  return (value) => {
    if (value === undefined) return null;
    if (!Array.isArray(value) || !value.every(rule)) return message;
    return value.length <= CONTACT_LIMITS.list ? null : `must not have more than ${CONTACT_LIMITS.list} entries`;
  };
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && value.length <= CONTACT_LIMITS.id && isLine(value);
}
