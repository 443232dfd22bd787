import { type Static, type TObject, Type } from 'typebox';
import type { Clock } from '../core/clock.ts';
import { type FieldFault, fault, mustBeValid, Refused } from '../core/errors.ts';
import { line, nullable, oneOf } from '../core/schema.ts';
import { type Caller, type Scope, scopeOf } from './caller.ts';
import { LOCALES } from './contact.ts';
import { BREAK, breakFaults, hoursFaults, QUIET_HOURS } from './preferences.ts';
import { zone } from './schema.ts';

export const COLOR_PATTERN = '^#[0-9a-fA-F]{6}$';

/** The settings of a school, without the channels of its messages. */
export const SCHOOL_SETTINGS = {
  name: line(200),
  timezone: zone,
  locale: oneOf(LOCALES),
  sender_name: nullable(line(100, { description: 'The name of the sender in messages. Null: that of the school.' })),
  color: nullable(
    Type.String({
      pattern: COLOR_PATTERN,
      description: 'The color of buttons and links, `#rrggbb`. White text on it needs a contrast of at least 4.5 to 1.',
    }),
  ),
  logo_url: nullable(
    Type.String({
      format: 'uri',
      maxLength: 2048,
      description:
        'The address of the logo, an image of at least 40 pixels height: an uploaded file, or one with https.',
    }),
  ),
  quiet_hours: nullable(QUIET_HOURS),
  term_calendar: Type.Array(BREAK, {
    maxItems: 100,
    description: 'School holidays, including both dates. Announcements and messages wait until they are over.',
  }),
};

export type School = Scope &
  Static<TObject<typeof SCHOOL_SETTINGS>> & {
    /** channels by trigger, if they differ from the defaults */
    channels?: Readonly<Record<string, readonly string[] | undefined>>;
    updated_at: Date;
  };

export type SchoolStore = {
  /** The school's settings; `unnamedSchool` if there are none. */
  find(scope: Scope): Promise<School>;
  /**
   * @param ifMatch the time of the last change that these settings replace
   * @returns false if another change came after it
   */
  put(school: School, ifMatch?: number): Promise<boolean>;
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

/**
 * Stores the settings of the caller's school, replaces earlier ones. Idempotent.
 * @throws Refused `validation_failed` if a break ends before it begins, quiet hours have no length or white text on the color is
 * hard to read, `stale` if they have changed since the time `ifMatch`
 */
export async function putSchool(
  deps: { schools: Pick<SchoolStore, 'put'>; clock: Clock },
  caller: Caller,
  fields: Omit<School, 'tenant_id' | 'school_id' | 'updated_at'>,
  ifMatch?: number,
): Promise<School> {
  const { quiet_hours, term_calendar, color } = fields;
  mustBeValid([...hoursFaults(quiet_hours), ...breakFaults(term_calendar), ...colorFaults(color)]);
  const school: School = { ...fields, ...scopeOf(caller), updated_at: deps.clock.now() };
  if (!(await deps.schools.put(school, ifMatch))) throw new Refused({ code: 'stale' });
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
