import type { FieldFault } from '../core/errors.ts';
import { isZone } from '../core/zoned-time.ts';
import { ROLES, type Role, type Scope } from './caller.ts';
import { type Contact, LOCALES, type Locale } from './contact.ts';
import { isEmail } from './email-address.ts';

/** What somebody may write down about a person; the rest is the program's. */
export type ContactFields = Omit<Contact, keyof Scope | 'updated_at'>;

export const CONTACT_LIMITS = { id: 200, name: 200, email: 254, list: 50, timezone: 64 } as const;

/** E.164 with its plus. */
export const isPhone = (text: string): boolean => /^\+[1-9]\d{6,14}$/.test(text);

/** One line that says something: no control characters, no halves of surrogate pairs, not only blanks. */
export const isLine = (text: string): boolean => !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text) && text.trim() !== '';

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

/** Reads a contact from a value of any shape, or says everything that is wrong with it. */
export function contactFrom(input: unknown): { contact: ContactFields } | { faults: FieldFault[] } {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { faults: [{ pointer: '', message: 'must be an object' }] };
  }
  const given = input as Record<string, unknown>;
  const faults: FieldFault[] = [];
  for (const field of Object.keys(given)) {
    if (!Object.hasOwn(RULES, field)) faults.push({ pointer: `/${escaped(field)}`, message: 'is not a known field' });
  }
  for (const [field, faultOf] of Object.entries(RULES)) {
    const message = faultOf(Object.hasOwn(given, field) ? given[field] : undefined);
    if (message) faults.push({ pointer: `/${field}`, message });
  }
  if (faults.length > 0) return { faults };
  const known = given as Partial<ContactFields> & Pick<ContactFields, 'user_id' | 'name'>;
  const contact: ContactFields = {
    user_id: known.user_id,
    name: known.name.trim(),
    email: known.email ?? null,
    phone: known.phone ?? null,
    roles: once(known.roles),
    class_ids: once(known.class_ids),
    grade_level_ids: once(known.grade_level_ids),
    department_ids: once(known.department_ids),
    guardians: once(known.guardians),
    locale: known.locale ?? null,
    timezone: known.timezone ?? null,
  };
  return { contact };
}

const once = <T>(list: readonly T[] | undefined): T[] => [...new Set(list ?? [])];

// A field name comes from outside and goes back in an answer: short, and escaped as RFC 6901 wants it.
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
