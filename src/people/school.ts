import type { Clock } from '../core/clock.ts';
import { invalid } from '../core/errors.ts';
import { type Caller, type Scope, scopeOf } from './caller.ts';
import type { Locale } from './contact.ts';
import { mustBeAllowed } from './permissions.ts';
import type { SchoolStore } from './ports.ts';
import { type Break, breakFaults, hoursFaults, type QuietHours } from './quiet-hours.ts';

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

type SchoolFields = Omit<School, 'tenant_id' | 'school_id' | 'updated_at'>;

/**
 * Stores the settings of the caller's school, replaces earlier ones. Idempotent.
 * @throws Refused `forbidden`, `validation_failed` if a break ends before it begins or quiet hours have no length
 */
export async function putSchool(
  deps: { schools: Pick<SchoolStore, 'put'>; clock: Clock },
  caller: Caller,
  fields: SchoolFields,
): Promise<School> {
  mustBeAllowed(caller, 'manage_settings');
  const faults = [...hoursFaults(fields.quiet_hours), ...breakFaults(fields.term_calendar ?? [])];
  if (faults.length > 0) throw invalid(faults);
  const school: School = { ...fields, ...scopeOf(caller), updated_at: deps.clock.now() };
  await deps.schools.put(school);
  return school;
}
