import { type FieldFault, fault } from '../core/errors.ts';
import { addDays, instantOf, wallTimeOf } from '../core/zoned-time.ts';

/** Quiet hours on the wall clock; over midnight if `to` is earlier than `from`. */
export type QuietHours = {
  /** HH:MM */ from: string;
  /** HH:MM */ to: string;
};

/** School holidays, first and last day included. */
export type Break = { name: string; start_date: string; end_date: string };

/** The quiet hours and holidays of one person, in their own zone. */
export type Quiet = { hours: QuietHours | null; breaks: readonly Break[]; zone: string };

type OfSchool = { quiet_hours?: QuietHours | null | undefined; term_calendar?: readonly Break[] | undefined };

/** A person's own hours override the school's; `off` also ignores holidays. */
export function quietOf(school: OfSchool, wish: QuietHours | 'off' | null | undefined, zone: string): Quiet {
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
  for (let next = periodAround(until, quiet); next && next.until > until; next = periodAround(until, quiet)) {
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
  if (!hours && breaks.length === 0) return null;
  const { date, time } = wallTimeOf(at, zone);
  const off = breaks.find(({ start_date, end_date }) => start_date <= date && date <= end_date);
  if (off) {
    const since = instantOf({ date: off.start_date, time: '00:00', zone });
    const until = instantOf({ date: addDays(off.end_date, 1), time: '00:00', zone });
    return containing(at, { since, until, isBreak: true });
  }
  if (!hours || hours.from === hours.to) return null;
  const overnight = hours.from > hours.to;
  const begun = time >= hours.from;
  if (overnight ? !begun && time >= hours.to : !begun || time >= hours.to) return null;
  const from = overnight && !begun ? addDays(date, -1) : date;
  const to = overnight && begun ? addDays(date, 1) : date;
  return containing(at, {
    since: instantOf({ date: from, time: hours.from, zone }),
    until: instantOf({ date: to, time: hours.to, zone }),
    isBreak: false,
  });
}

/** If the clock shows an hour twice, the quiet period ends the first time. */
const containing = (at: Date, period: Period): Period | null => (period.until > at ? period : null);

/** Checks that quiet hours have an effect. */
export const hoursFaults = (hours: QuietHours | 'off' | null | undefined): FieldFault[] =>
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
