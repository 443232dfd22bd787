import type { Scope } from './caller.ts';
import type { Locale } from './contact.ts';
import type { Break, QuietHours } from './quiet-hours.ts';

/** The settings of a school (api.md, school). */
export type School = Scope & {
  name: string;
  timezone: string;
  locale: Locale;
  /** sender name of e-mails; null: the school's name */
  sender_name: string | null;
  /** quiet hours, in each person's own zone; missing: none */
  quiet_hours?: QuietHours | null;
  /** holidays */
  term_calendar?: Break[];
  /** channels by trigger, if they differ from the defaults */
  channels?: Readonly<Record<string, readonly string[] | undefined>>;
  updated_at: Date;
};

/** The default settings of a school. */
export const unnamedSchool = (scope: Scope): School => ({
  ...scope,
  name: 'School',
  timezone: 'UTC',
  locale: 'en',
  sender_name: null,
  updated_at: new Date(0),
});
