import type { Clock } from '../core/clock.ts';
import { type FieldFault, fault, invalid } from '../core/errors.ts';
import { type Caller, mustBeAllowed, type Scope, scopeOf } from './caller.ts';
import type { Locale } from './contact.ts';
import type { SchoolStore } from './ports.ts';
import { type Break, breakFaults, hoursFaults, type QuietHours } from './preferences.ts';

/** The settings of a school. */
export type School = Scope & {
  name: string;
  timezone: string;
  locale: Locale;
  /** sender name of e-mails; null: the school's name */
  sender_name: string | null;
  /** of buttons and links, `#rrggbb`; null: the default */
  color: string | null;
  /** https address of an image; null: none */
  logo_url: string | null;
  /** quiet hours, in each person's own zone; null: none */
  quiet_hours: QuietHours | null;
  /** holidays */
  term_calendar: Break[];
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
  color: null,
  logo_url: null,
  quiet_hours: null,
  term_calendar: [],
  updated_at: new Date(0),
});

/** The color of buttons in e-mails of schools without their own. */
export const DEFAULT_COLOR = '#17594f';

/** White text on a button must be readable (WCAG 2.2, 1.4.3). */
const LEAST_CONTRAST = 4.5;

type SchoolFields = Omit<School, 'tenant_id' | 'school_id' | 'updated_at'>;

/**
 * Stores the settings of the caller's school, replaces earlier ones. Idempotent.
 * @throws Refused `forbidden`, `validation_failed` if a break ends before it begins, quiet hours have no length or white text on
 * the color is hard to read
 */
export async function putSchool(
  deps: { schools: Pick<SchoolStore, 'put'>; clock: Clock },
  caller: Caller,
  fields: SchoolFields,
): Promise<School> {
  mustBeAllowed(caller, 'manage_settings');
  const faults = [
    ...hoursFaults(fields.quiet_hours),
    ...breakFaults(fields.term_calendar),
    ...colorFaults(fields.color),
  ];
  if (faults.length > 0) throw invalid(faults);
  const school: School = { ...fields, ...scopeOf(caller), updated_at: deps.clock.now() };
  await deps.schools.put(school);
  return school;
}

function colorFaults(color: string | null): FieldFault[] {
  if (!color || contrastWithWhite(color) >= LEAST_CONTRAST) return [];
  return [fault('/color', `must have a contrast of at least ${LEAST_CONTRAST} to 1 with white text`, 'contrast')];
}

/** The contrast of `#rrggbb` with white, from 1 to 21 (WCAG 2.2, contrast ratio). */
function contrastWithWhite(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}
