import type { Role, Scope } from './caller.ts';
import { emailAddress, needsSmtpUtf8 } from './email-address.ts';

export const LOCALES = ['en', 'cs'] as const;
/** The languages of messages. Other languages fall back to the school's, then to English. */
export type Locale = (typeof LOCALES)[number];

/** A person of the directory (api.md, contacts). */
export type Contact = Scope & {
  user_id: string;
  name: string;
  email: string | null;
  /** E.164 */
  phone: string | null;
  roles: Role[];
  class_ids: string[];
  grade_level_ids: string[];
  department_ids: string[];
  /** user ids of the guardians, for a student */
  guardians: string[];
  /** null: the school's */
  locale: Locale | null;
  /** null: the school's */
  timezone: string | null;
  updated_at: Date;
  /** set if the latest import of this person was by a roster: a later one finds who has left */
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
