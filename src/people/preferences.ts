import type { Static } from 'typebox';
import type { Clock } from '../core/clock.ts';
import { type FieldFault, fault, mustBeValid } from '../core/errors.ts';
import { clock, date, line, strict } from '../core/schema.ts';
import { addDays, instantOf, wallTimeOf } from '../core/zoned-time.ts';
import { type Caller, type Scope, scopeOf } from './caller.ts';
import type { Locale } from './contact.ts';

/** A person's notification settings. */
export type Preferences = Scope & {
  user_id: string;
  locale: Locale | null;
  /** pairs `trigger:channel`, `*` for any of either, e.g. `event.published:email`, `*:sms` */
  opted_out: string[];
  /** overrides the school's; `off`: none; missing or null: the school's */
  quiet_hours?: QuietHours | 'off' | null;
  updated_at: Date;
};

/** The settings of some people, by person; people without any are missing. */
export type PreferencesByPerson = ReadonlyMap<string, Pick<Preferences, 'locale' | 'opted_out' | 'quiet_hours'>>;

export type PreferenceStore = {
  find(scope: Scope, user_id: string): Promise<Preferences | null>;
  findMany(scope: Scope, user_ids: readonly string[]): Promise<Preferences[]>;
  put(preferences: Preferences): Promise<void>;
  /** Adds one opt-out to the person's others. Does nothing if the school does not know the person (any more). */
  addOptOut(scope: Scope, user_id: string, wish: string): Promise<void>;
};

/** Whether one of the opt-outs covers this trigger on this channel. */
export const hasOptedOut = (opted_out: readonly string[], trigger: string, channel: string): boolean =>
  opted_out.some((wish) => {
    const [wishedTrigger, wishedChannel] = wish.split(':');
    return (wishedTrigger === '*' || wishedTrigger === trigger) && (wishedChannel === '*' || wishedChannel === channel);
  });

/** Stores the caller's notification settings, replaces earlier ones. Idempotent. @throws Refused `validation_failed` */
export async function putPreferences(
  deps: { preferences: Pick<PreferenceStore, 'put'>; clock: Clock },
  caller: Caller,
  wishes: Omit<Preferences, 'tenant_id' | 'school_id' | 'user_id' | 'updated_at'>,
): Promise<Preferences> {
  mustBeValid(hoursFaults(wishes.quiet_hours));
  const { user_id } = caller;
  const preferences: Preferences = { ...wishes, ...scopeOf(caller), user_id, updated_at: deps.clock.now() };
  await deps.preferences.put(preferences);
  return preferences;
}

export const QUIET_HOURS = strict(
  { from: clock, to: clock },
  {
    description:
      'Times of day in the recipient’s time zone. If `to` is before `from`, the quiet hours last over midnight.',
  },
);
export type QuietHours = Static<typeof QUIET_HOURS>;

/** School holidays, first and last day included. */
export const BREAK = strict({ name: line(100), start_date: date, end_date: date });
export type Break = Static<typeof BREAK>;

/** The quiet hours and holidays of one person, in their own zone. */
export type Quiet = { hours: QuietHours | null; breaks: readonly Break[]; zone: string };

type OfSchool = { quiet_hours?: QuietHours | null; term_calendar?: readonly Break[] };

/** A person's own hours override the school's; `off` also ignores holidays. */
export function quietOf(school: OfSchool, wish: Preferences['quiet_hours'], zone: string): Quiet {
  if (wish === 'off') return { hours: null, breaks: [], zone };
  return { hours: wish ?? school.quiet_hours ?? null, breaks: school.term_calendar ?? [], zone };
}

type Period = {
  since: Date;
  until: Date;
  /** a part of it is a holiday */
  isBreak: boolean;
};

/**
 * The quiet period around an instant, from its start to its end; null if the instant is not quiet. Follows the wall clock over
 * clock changes: an end that a change skips moves forward.
 */
export function quietAround(at: Date, quiet: Quiet): Period | null {
  const first = periodAround(at, quiet);
  if (!first) return null;
  let { since, until, isBreak } = first;
  // Adjacent periods merge, such as a holiday and the night before it.
  for (let next = periodAround(until, quiet); next; next = periodAround(until, quiet)) {
    until = next.until;
    isBreak ||= next.isBreak;
  }
  for (let before = periodBefore(since, quiet); before && before.since < since; before = periodBefore(since, quiet)) {
    since = before.since;
    isBreak ||= before.isBreak;
  }
  return { since, until, isBreak };
}

const periodBefore = (since: Date, quiet: Quiet) => periodAround(new Date(since.getTime() - 1), quiet);

function periodAround(at: Date, { hours, breaks, zone }: Quiet): Period | null {
  const { date, time } = wallTimeOf(at, zone);
  const off = breaks.find(({ start_date, end_date }) => start_date <= date && date <= end_date);
  if (off) {
    const since = instantOf({ date: off.start_date, time: '00:00', zone });
    const until = instantOf({ date: addDays(off.end_date, 1), time: '00:00', zone });
    return containing(at, { since, until, isBreak: true });
  }
  if (!hours) return null;
  // Before the start of a day only the period that began the day before can last.
  const start = time >= hours.from ? date : addDays(date, -1);
  const end = hours.from > hours.to ? addDays(start, 1) : start;
  return containing(at, {
    since: instantOf({ date: start, time: hours.from, zone }),
    until: instantOf({ date: end, time: hours.to, zone }),
    isBreak: false,
  });
}

/** If the clock shows an hour twice, the quiet period ends the first time. */
const containing = (at: Date, period: Period): Period | null => (period.until > at ? period : null);

/** Checks that quiet hours have an effect. */
export const hoursFaults = (hours: Preferences['quiet_hours']): FieldFault[] =>
  hours && hours !== 'off' && hours.from === hours.to
    ? [fault('/quiet_hours/to', 'must differ from from: such quiet hours never apply', 'differs_from_start')]
    : [];

/** Checks that no break ends before it begins. */
export const breakFaults = (breaks: readonly Break[]): FieldFault[] =>
  breaks.flatMap(({ start_date, end_date }, at) =>
    end_date < start_date
      ? [fault(`/term_calendar/${at}/end_date`, 'must not be before start_date', 'not_before_start')]
      : [],
  );
