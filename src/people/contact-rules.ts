import type { Scope } from './caller.ts';
import type { Contact } from './contact.ts';

/** The fields of a contact that an import may set. */
type ContactFields = Omit<Contact, keyof Scope | 'updated_at' | 'in_roster' | 'left_at'>;
export type ContactInput = Pick<ContactFields, 'user_id' | 'name'> & Partial<ContactFields>;

export const CONTACT_LIMITS = { id: 200, name: 200, email: 254, list: 50, timezone: 64 } as const;

/** Whether a text is a phone number in E.164, with the plus sign. */
export const isPhone = (text: string): boolean => /^\+[1-9]\d{6,14}$/.test(text);

/** Characters that break or reorder a line: names with bidirectional controls can pretend to be other names. */
const BREAKING = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/u;
export const breaksLine = (text: string): boolean => BREAKING.test(text);

/** Whether a text is one non-blank line without control characters and lone surrogates. */
export const isLine = (text: string): boolean => !breaksLine(text) && text.trim() !== '';

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
