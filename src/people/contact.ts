import type { Role, Scope } from './caller.ts';
import { emailAddress, needsSmtpUtf8 } from './email-address.ts';

export const LOCALES = ['en', 'cs'] as const;
/** The languages there are texts for; any other is told in the school's, else in English. */
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
};

/** The shape in which two spellings of one address are equal: used to merge, never to send. */
export function sameAddressForm(address: string): string {
  const form = address.trim().toLowerCase();
  // Only letters beyond ASCII and quotes can be spelled in two ways.
  return needsSmtpUtf8(form) || form.startsWith('"') ? (emailAddress(form)?.toLowerCase() ?? form) : form;
}
