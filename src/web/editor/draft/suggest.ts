import type { Options } from '../../api/types.ts';
import { afterAudience } from '../../event-parts/visibility.ts';
import { addDays, daysBetween } from '../../texts/dates.ts';
import type { Draft } from './draft.ts';
import { later, minutesBetween } from './wall-time.ts';

type Type = Options['event_types'][number];
type Touched = ReadonlySet<string>;

/**
 * The form after an edit, with what follows from it.
 * @param touched the fields that the user has edited so far, with those of this edit
 * @param types whose values are suggested; none for an event that is stored already
 */
export function afterEdit(before: Draft, change: Partial<Draft>, touched: Touched, types: readonly Type[]): Draft {
  const now = { ...before, ...change };
  const type = types.find(({ value }) => value === change.event_type);
  const next = { ...now, ...(type ? afterType(now, type, touched) : afterStart(before, now, touched)) };
  return { ...next, ...afterAudience(before, next) };
}

/** Suggests audience, all-day, start time and duration for a type; keeps fields that the user edited. */
function afterType(draft: Draft, type: Type, touched: Touched): Partial<Draft> {
  const all_day = touched.has('all_day') ? draft.all_day : type.all_day;
  const start_time = touched.has('start_time') ? draft.start_time : (type.suggested_start_time ?? draft.start_time);
  const target_audience = touched.has('target_audience') ? draft.target_audience : type.suggested_audience;
  const changes: Partial<Draft> = { all_day, start_time, target_audience };
  if (touched.has('end_time')) return changes;
  const end = later(start_time, type.duration ?? minutesBetween(draft.start_time, draft.end_time));
  return {
    ...changes,
    end_time: end.time,
    ...(touched.has('end_date') ? {} : { end_date: addDays(draft.start_date, end.days) }),
  };
}

/** Moves the end along with the start, unless the user edited the end. */
function afterStart(before: Draft, now: Draft, touched: Touched): Partial<Draft> {
  const changes: Partial<Draft> = {};
  const hasMoved = (name: 'start_date' | 'start_time') =>
    now[name] !== before[name] && now[name] !== '' && before[name] !== '';
  if (hasMoved('start_date') && !touched.has('end_date'))
    changes.end_date = addDays(now.start_date, Math.max(0, daysBetween(before.start_date, before.end_date)));
  if (hasMoved('start_time') && !touched.has('end_time')) {
    const end = later(now.start_time, minutesBetween(before.start_time, before.end_time));
    if (end.days === 0) changes.end_time = end.time;
  }
  return changes;
}
