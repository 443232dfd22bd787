import type { FieldFault } from '../core/errors.ts';
import { addDays, instantOf, wallTimeOf } from '../core/zoned-time.ts';

/** From when to when nobody is to be disturbed, on the wall clock; over midnight where `to` is earlier than `from`. */
export type QuietHours = {
  /** HH:MM */ from: string;
  /** HH:MM */ to: string;
};

/** Days without school, both included. */
export type Break = { name: string; start_date: string; end_date: string };

/** When one person is not to be disturbed, in their own zone. */
export type Quiet = { hours: QuietHours | null; breaks: readonly Break[]; zone: string };

type OfSchool = { quiet_hours?: QuietHours | null | undefined; term_calendar?: readonly Break[] | undefined };

/** A person's own hours stand in place of the school's; `off` is for those who want everything at once. */
export function quietOf(school: OfSchool, wish: QuietHours | 'off' | null | undefined, zone: string): Quiet {
  if (wish === 'off') return { hours: null, breaks: [], zone };
  return { hours: wish ?? school.quiet_hours ?? null, breaks: school.term_calendar ?? [], zone };
}

/**
 * The quiet time an instant lies in, from its beginning to its end, which is the person's next morning; null where it
 * lies in none. Wall clocks are followed over clock changes: a morning that does not exist comes when the clock goes on.
 */
export function quietAround(at: Date, quiet: Quiet): { since: Date; until: Date } | null {
  const first = stretchAround(at, quiet);
  if (!first) return null;
  let { since, until } = first;
  // Hours and days off may lie side by side, e.g. the night before the last day of a break.
  for (let next = stretchAround(until, quiet); next && next.until > until; next = stretchAround(until, quiet)) {
    until = next.until;
  }
  for (let before = just(since, quiet); before && before.since < since; before = just(since, quiet)) {
    since = before.since;
  }
  return { since, until };
}

const just = (since: Date, quiet: Quiet) => stretchAround(new Date(since.getTime() - 1), quiet);

type Stretch = { since: Date; until: Date };

function stretchAround(at: Date, { hours, breaks, zone }: Quiet): Stretch | null {
  if (!hours && breaks.length === 0) return null;
  const { date, time } = wallTimeOf(at, zone);
  const off = breaks.find(({ start_date, end_date }) => start_date <= date && date <= end_date);
  if (off) {
    const since = instantOf({ date: off.start_date, time: '00:00', zone });
    return containing(at, since, instantOf({ date: addDays(off.end_date, 1), time: '00:00', zone }));
  }
  if (!hours || hours.from === hours.to) return null;
  const overnight = hours.from > hours.to;
  const begun = time >= hours.from;
  if (overnight ? !begun && time >= hours.to : !begun || time >= hours.to) return null;
  const from = overnight && !begun ? addDays(date, -1) : date;
  const to = overnight && begun ? addDays(date, 1) : date;
  return containing(
    at,
    instantOf({ date: from, time: hours.from, zone }),
    instantOf({ date: to, time: hours.to, zone }),
  );
}

/** Where the clock shows an hour twice, it is quiet only until its end is reached for the first time. */
const containing = (at: Date, since: Date, until: Date): Stretch | null => (until > at ? { since, until } : null);

/** A break ends where it begins or later. */
export const breakFaults = (breaks: readonly Break[]): FieldFault[] =>
  breaks.flatMap(({ start_date, end_date }, at) =>
    end_date < start_date
      ? [{ pointer: `/term_calendar/${at}/end_date`, message: 'must not be before start_date' }]
      : [],
  );
