import type { Scope } from './caller.ts';
import type { Locale } from './contact.ts';
import type { Break, QuietHours } from './quiet-hours.ts';

/** What is the same for everyone in a school (api.md, school). */
export type School = Scope & {
  name: string;
  timezone: string;
  locale: Locale;
  /** the name mail comes from; null: the school's own */
  sender_name: string | null;
  /** when nobody is to be disturbed, in each person's own zone; none where it is missing */
  quiet_hours?: QuietHours | null;
  /** days without school */
  term_calendar?: Break[];
  /** on which channels people are told of what, where that is not as usual; by trigger */
  channels?: Readonly<Record<string, readonly string[] | undefined>>;
  updated_at: Date;
};

/** A school nobody has described yet. */
export const unnamedSchool = (scope: Scope): School => ({
  ...scope,
  name: 'School',
  timezone: 'UTC',
  locale: 'en',
  sender_name: null,
  updated_at: new Date(0),
});
