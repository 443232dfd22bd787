import { type FieldFault, fault } from '../../core/errors.ts';
import { groupBy } from '../../core/groups.ts';
import { canonical } from '../../core/objects.ts';
import { addDays, dateStamp, instantOf, isDate, LAST_DATE, utcStamp } from '../../core/zoned-time.ts';
import type { NewFact } from '../../outbox/fact.ts';
import { SEEN_FIELDS } from '../../people/visibility.ts';
import type { Change } from '../apply-plan.ts';
import type { RecurrencePattern, SchoolEvent } from '../event.ts';
import type { EventFields } from '../event-fields.ts';
import { DEFAULT_START } from './schedule.ts';

/** The limit of occurrences in a series (docs/decisions.md, "Limits"). */
const MAX_OCCURRENCES = 366;

/** The number of occurrences if neither a count nor an end is given. */
export const SUGGESTED_COUNTS = { daily: 7, weekly: 12, monthly: 12, yearly: 3 } as const satisfies Record<
  Exclude<RecurrencePattern, 'none'>,
  number
>;

type Rule = Pick<EventFields, 'start_date' | 'recurrence_pattern' | 'recurrence_count' | 'recurrence_end_date'>;

/**
 * The dates of a series, including the first. Dates that don't exist (31st, 29 February) are skipped and not counted; the
 * series ends at the count or the end date, whichever comes first. If there are too many, returns one date more than the
 * limit, or one after `LAST_DATE`.
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

/** The dates of a recurrence rule, with the faults of its end. */
export function previewSeries(rule: Rule): { dates: string[]; faults: FieldFault[] } {
  const dates = occurrenceDates(rule);
  return { dates, faults: seriesFaults(dates) };
}

function seriesFaults(dates: readonly string[]): FieldFault[] {
  const end = '/recurrence_end_date';
  if (dates.length === 0) return [fault(end, 'must not be before start_date', 'not_before_start')];
  if ((dates.at(-1) ?? '') > LAST_DATE)
    return [fault('/recurrence_count', 'gives dates after 2100: choose fewer occurrences', 'date')];
  if (dates.length <= MAX_OCCURRENCES) return [];
  return [fault(end, `must leave at most ${MAX_OCCURRENCES} occurrences`, 'max_occurrences')];
}

/** The date `step` repetitions after the first. May not exist, such as 31 February. */
function dateAt(first: string, pattern: Exclude<RecurrencePattern, 'none'>, step: number): string {
  if (pattern === 'daily') return addDays(first, step);
  if (pattern === 'weekly') return addDays(first, 7 * step);
  const [year = 0, month = 1] = first.split('-').map(Number);
  const months = month - 1 + (pattern === 'monthly' ? step : 12 * step);
  const pad = (value: number, width: number) => String(value).padStart(width, '0');
  return `${pad(year + Math.floor(months / 12), 4)}-${pad((months % 12) + 1, 2)}-${first.slice(8)}`;
}

/**
 * The permanent identity of a new occurrence in its series. Its RECURRENCE-ID is the date from the rule at its time of day.
 * @param date the date from the rule; null outside a series
 */
export function placeInSeries(
  date: string | null,
  { all_day, start_time, timezone: zone }: Pick<SchoolEvent, 'all_day' | 'start_time' | 'timezone'>,
): Pick<SchoolEvent, 'occurrence_date' | 'recurrence_id'> {
  if (date === null) return { occurrence_date: null, recurrence_id: null };
  const recurrence_id = all_day
    ? dateStamp(date)
    : utcStamp(instantOf({ date, time: start_time ?? DEFAULT_START, zone }));
  return { occurrence_date: date, recurrence_id };
}

export const SCOPES = ['this', 'following', 'all'] as const;
/** The occurrences that an operation applies to. */
export type SeriesScope = (typeof SCOPES)[number];

/** The id of an event's series; null if it does not repeat. */
export const seriesOf = (event: SchoolEvent): string | null =>
  event.parent_event_id ?? (event.is_recurring ? event.id : null);

/** The id that the dates of a series share, which is that of the first; that of an event that does not repeat. */
export const seriesIdOf = ({ id, parent_event_id }: Pick<SchoolEvent, 'id' | 'parent_event_id'>): string =>
  parent_event_id ?? id;

/** The other occurrences in the scope of an operation, in order. */
export function siblingsInScope(event: SchoolEvent, series: readonly SchoolEvent[], scope: SeriesScope): SchoolEvent[] {
  if (scope === 'this') return [];
  const others = series.filter((other) => other.id !== event.id);
  const inScope = scope === 'all' ? others : others.filter((other) => dateOf(other) > dateOf(event));
  return inScope.sort((a, b) => (dateOf(a) < dateOf(b) ? -1 : 1));
}

/** The date from the rule, which orders a series even if occurrences are moved. */
export const dateOf = (event: SchoolEvent): string => event.occurrence_date ?? event.start_date;

/** A date of a series and the fact of which its people are notified. */
type Notice = { event: SchoolEvent; fact: NamingFact };
type NamingFact = Extract<NewFact, { type: (typeof NAMING)[number] }>;

/** Facts whose message may name several dates. */
export const NAMING = [
  'event.published',
  'event.unpublished',
  'event.cancelled',
  'event.postponed',
  'event.changed',
] as const;

/**
 * Gives the dates of a series that change together one message: the fact of the lead occurrence names the others, whose own
 * facts refer to it. Announcements are joined only for the same audience. A fact that undoes a change stays alone, because
 * only people who learned of that change are notified.
 */
export function inOneMessage(changes: readonly Change[], now: Date): Change[] {
  const notices = changes.flatMap(({ after, facts }) =>
    facts.filter(isNaming).flatMap((fact) => ('told_since' in fact.data ? [] : { event: after, fact })),
  );
  const groups = groupBy(notices, keyOf).filter((group) => group.length > 1);
  const joined = new Map(groups.flatMap((group) => joinedFacts(group, now)));
  return changes.map((change) => ({ ...change, facts: change.facts.map((fact) => joined.get(fact) ?? fact) }));
}

const isNaming = (fact: NewFact): fact is NamingFact => (NAMING as readonly string[]).includes(fact.type);

const AUDIENCE_FIELDS = [...SEEN_FIELDS, 'target_audience', 'class_id', 'grade_level_ids'] as const;

const keyOf = ({ event, fact }: Notice): string =>
  fact.type === 'event.published' ? canonical(AUDIENCE_FIELDS.map((name) => event[name])) : fact.type;

/** The facts of one message: each with the fact to record instead. */
function joinedFacts(group: readonly Notice[], now: Date): [NewFact, NewFact][] {
  const inOrder = [...group].sort((a, b) => a.event.starts_at.getTime() - b.event.starts_at.getTime());
  // The next date to start, because the message links to it.
  const lead = inOrder.find(({ event }) => event.starts_at > now) ?? (inOrder[0] as Notice);
  const others = inOrder.filter((one) => one !== lead);
  const also = others.map(({ event, fact }) => {
    const { reason: _, ...data } = fact.data as { reason?: string };
    return { event_id: event.id, ...data };
  });
  const times = inOrder.flatMap(({ fact: { data } }) => ('tell_at' in data ? data.tell_at.getTime() : []));
  const tell_at = times.length > 0 ? { tell_at: new Date(Math.min(...times)) } : {};
  const ledBy = { announced_with: lead.event.id };
  return [
    [lead.fact, { ...lead.fact, data: { ...lead.fact.data, ...tell_at, also } } as NewFact],
    ...others.map(({ fact }): [NewFact, NewFact] => [fact, { ...fact, data: { ...fact.data, ...ledBy } } as NewFact]),
  ];
}
