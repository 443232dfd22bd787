import type { Options } from '../../api/types.ts';
import { afterAudience } from '../../event-parts/visibility.ts';
import { addDays, isDay, later, lengthOf } from '../../texts/dates.ts';
import type { Draft } from './draft.ts';

type Type = Options['event_types'][number];
type Touched = ReadonlySet<string>;

/** Whether the start is neither empty nor half typed. */
export const hasStart = ({ start_date, start_time }: Draft): boolean => isDay(start_date) && start_time !== '';

/**
 * The form after an edit, with what follows from it.
 * @param touched the fields that the user has edited so far, with those of this edit
 * @param types whose values are suggested; none for an event that is stored already
 * @param lastTimed the last form that had a start: the event keeps its length
 */
export function afterEdit(
  before: Draft,
  change: Partial<Draft>,
  touched: Touched,
  types: readonly Type[],
  lastTimed = before,
): Draft {
  const now = { ...before, ...change };
  const type = types.find(({ value }) => value === change.event_type);
  const next = { ...now, ...(type ? afterType(now, type, touched) : afterStart(lastTimed, now, touched)) };
  return { ...next, ...afterAudience(before, next) };
}

/** Suggests audience, all-day, start time and duration for a type; keeps fields that the user edited. */
function afterType(draft: Draft, type: Type, touched: Touched): Partial<Draft> {
  const all_day = touched.has('all_day') ? draft.all_day : type.all_day;
  const start_time = touched.has('start_time') ? draft.start_time : (type.suggested_start_time ?? draft.start_time);
  const target_audience = touched.has('target_audience') ? draft.target_audience : type.suggested_audience;
  const end = touched.has('end_time')
    ? {}
    : endAfter({ ...draft, start_time }, type.duration ?? lengthOf(draft), touched);
  return { all_day, start_time, target_audience, ...end };
}

/** Moves the end along with the start, unless the user edited the end. */
function afterStart(before: Draft, now: Draft, touched: Touched): Partial<Draft> {
  const { start_time } = touched.has('end_time') ? before : now;
  return endAfter({ ...now, start_time }, lengthOf(before), touched);
}

/** The end after this number of minutes, without what the user edited. */
function endAfter({ start_date, start_time }: Draft, minutes: number, touched: Touched): Partial<Draft> {
  if (!isDay(start_date) || !start_time || Number.isNaN(minutes)) return {};
  const end = later(start_time, minutes);
  return {
    ...(touched.has('end_date') ? {} : { end_date: addDays(start_date, end.days) }),
    ...(touched.has('end_time') ? {} : { end_time: end.time }),
  };
}
