import { dateStamp, utcStamp } from '../../core/calendar-stamps.ts';
import type { FieldFault } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { addDays, daysBetween, instantOf, isDate, LAST_DATE } from '../../core/zoned-time.ts';
import type { EventFields, RecurrencePattern, SchoolEvent } from '../event.ts';
import { deadlineShifted, instantsOf } from './schedule.ts';

/** How many occurrences a series has at most (decisions.md, "limits"). */
export const MAX_OCCURRENCES = 366;

/** How many it has when neither a count nor an end is given (§2.5). */
export const SUGGESTED_COUNTS = { daily: 7, weekly: 12, monthly: 12, yearly: 3 } as const satisfies Record<
  Exclude<RecurrencePattern, 'none'>,
  number
>;

type Rule = Pick<EventFields, 'start_date' | 'recurrence_pattern' | 'recurrence_count' | 'recurrence_end_date'>;

/**
 * The dates of a series, its own first one included. Dates that don't exist (31st, 29 February) are skipped and not
 * counted; count or end date, whichever comes first. One date more than the limit, or one after `LAST_DATE`, tells that
 * there are too many.
 */
export function occurrenceDates(rule: Rule): string[] {
  const { start_date, recurrence_pattern: pattern, recurrence_count, recurrence_end_date } = rule;
  if (pattern === 'none') return [start_date];
  const suggested = recurrence_end_date === null ? SUGGESTED_COUNTS[pattern] : MAX_OCCURRENCES + 1;
  const count = Math.min(recurrence_count ?? suggested, MAX_OCCURRENCES + 1);
  const dates: string[] = [];
  for (let step = 0; dates.length < count; step += 1) {
    const date = dateAt(start_date, pattern, step);
    if (!isDate(date)) continue;
    if (recurrence_end_date !== null && date > recurrence_end_date) break;
    dates.push(date);
    if (date > LAST_DATE) break;
  }
  return dates;
}

/** The dates a rule would give, or what is wrong with its end. */
export function previewSeries(rule: Rule): { dates: string[]; faults: FieldFault[] } {
  const dates = occurrenceDates(rule);
  const pointer = '/recurrence_end_date';
  if (dates.length === 0) return { dates, faults: [{ pointer, message: 'must not be before start_date' }] };
  if ((dates.at(-1) ?? '') > LAST_DATE)
    return {
      dates,
      faults: [{ pointer: '/recurrence_count', message: 'gives dates after 2100: choose fewer occurrences' }],
    };
  if (dates.length <= MAX_OCCURRENCES) return { dates, faults: [] };
  return { dates, faults: [{ pointer, message: `must leave at most ${MAX_OCCURRENCES} occurrences` }] };
}

/** The date `step` repetitions after the first; one that no calendar has where the day is missing there. */
function dateAt(first: string, pattern: Exclude<RecurrencePattern, 'none'>, step: number): string {
  if (pattern === 'daily') return addDays(first, step);
  if (pattern === 'weekly') return addDays(first, 7 * step);
  const [year = 0, month = 1] = first.split('-').map(Number);
  const months = month - 1 + (pattern === 'monthly' ? step : 12 * step);
  const pad = (value: number, width: number) => String(value).padStart(width, '0');
  return `${pad(year + Math.floor(months / 12), 4)}-${pad((months % 12) + 1, 2)}-${first.slice(8)}`;
}

/**
 * The further occurrences of a series, as drafts of their own: the same wall clock on every date, so that instants
 * follow the zone's clock changes; the deadline lies as many days ahead of each as of the first.
 */
export function occurrencesOf(parent: SchoolEvent): SchoolEvent[] {
  return occurrenceDates(parent)
    .slice(1)
    .map((date) => {
      const days = daysBetween(parent.start_date, date);
      const child: SchoolEvent = {
        ...parent,
        id: newId(),
        status: 'draft',
        parent_event_id: parent.id,
        ...placeInSeries(date, parent),
        start_date: date,
        end_date: addDays(parent.end_date, days),
        registration_deadline: deadlineShifted(parent, days),
      };
      return { ...child, ...instantsOf(child) };
    });
}

/** The RECURRENCE-ID of an occurrence that has none yet: the date its rule gave it, at its present time of day. */
export function recurrenceIdOf(
  event: Pick<SchoolEvent, 'occurrence_date' | 'all_day' | 'start_time' | 'timezone'>,
): string | null {
  const { occurrence_date: date, all_day, start_time, timezone: zone } = event;
  if (!date) return null;
  return all_day ? dateStamp(date) : utcStamp(instantOf({ date, time: start_time ?? '09:00', zone }));
}

/** Where an occurrence stands in its series for good. @param date the one its rule gave it; null outside a series */
export const placeInSeries = (
  date: string | null,
  schedule: Pick<SchoolEvent, 'all_day' | 'start_time' | 'timezone'>,
): Pick<SchoolEvent, 'occurrence_date' | 'recurrence_id'> => ({
  occurrence_date: date,
  recurrence_id: recurrenceIdOf({ ...schedule, occurrence_date: date }),
});

export const SCOPES = ['this', 'following', 'all'] as const;
/** Which occurrences an edit, a cancellation or a publication is meant for. */
export type SeriesScope = (typeof SCOPES)[number];

/** The id all occurrences of a series share; null for an event that does not repeat. */
export const seriesOf = (event: SchoolEvent): string | null =>
  event.parent_event_id ?? (event.is_recurring ? event.id : null);

/** The others of a series that a change of one occurrence is also meant for, in order. */
export function alsoMeant(event: SchoolEvent, series: readonly SchoolEvent[], scope: SeriesScope): SchoolEvent[] {
  if (scope === 'this') return [];
  const others = series.filter((other) => other.id !== event.id);
  const meant = scope === 'all' ? others : others.filter((other) => dateOf(other) > dateOf(event));
  return meant.sort((a, b) => (dateOf(a) < dateOf(b) ? -1 : 1));
}

/** Where an occurrence stands in its series, however it was moved since. */
const dateOf = (event: SchoolEvent): string => event.occurrence_date ?? event.start_date;

/** Occurrences changed by hand or with registrations keep their own changes (decisions.md, "recurrence"). */
export const keepsItsOwn = (event: SchoolEvent): boolean =>
  event.detached || event.current_attendees + event.waitlisted > 0;
