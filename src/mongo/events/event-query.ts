import type { Moment } from '../../core/paging.ts';
import type { Days } from '../../core/zoned-time.ts';
import { type EventFilter, OF_FAMILIES, UPCOMING } from '../../events/rules/filter.ts';
import type { Groups } from '../../people/caller.ts';
import { RESTRICTION_LISTS, type RestrictionList } from '../../people/visibility.ts';
import type { VisibleEvents } from '../../people/visible-events.ts';
import { IS_STRING } from '../rows.ts';
import { FIELD_TERMS, forTerm, LONG_MS, term } from './event-row.ts';

/** Local times of two zones differ by at most 26 hours; bounds are exclusive. */
const ZONES_MS = 27 * 3_600_000;
const shifted = (instant: Date, ms: number): Date => new Date(instant.getTime() + ms);

/**
 * Builds the queries whose merged results answer the filters: one query, or three for events that take place in a span of
 * days. Each uses an index in the order of start and id.
 */
export function eventQueries(visible: VisibleEvents, filters: readonly EventFilter[]): Query[] {
  const parts = [visibleQuery(visible), ...filters.flatMap(partsOf)];
  const spans = filters.flatMap(({ during }) => during ?? []);
  const entry = entryOf(filters);
  if (entry) parts.push({ terms: entry });
  if (spans.length > 0) return spansQueries(spans).map((span) => ({ $and: [...parts, ...span] }));
  const isNarrow = filters.some(({ words, series, parent_event_id }) => words?.length || series || parent_event_id);
  const reach = entry || isNarrow ? null : visibilityTerms(visible);
  return [{ $and: [...parts, ...(reach ? [{ terms: { $in: reach } }] : [])] }];
}

function partsOf(filter: EventFilter): Query[] {
  const parts: Query[] = [];
  for (const [field] of FIELD_TERMS) {
    const wanted = filter[field];
    if (wanted !== undefined) parts.push({ [field]: typeof wanted === 'boolean' ? wanted : { $in: [...wanted] } });
  }
  if (filter.for_children) {
    parts.push({ $or: [{ target_audience: { $in: OF_FAMILIES } }, { target_audience: { $size: 0 } }] });
    parts.push({ $or: filter.for_children.map(inClassAndGrade) });
  }
  for (const word of filter.words ?? []) parts.push({ terms: startingWith(word) });
  if (filter.parent_event_id) parts.push({ parent_event_id: { $in: filter.parent_event_id, ...IS_STRING } });
  if (filter.series) parts.push(seriesQuery(filter.series));
  if (filter.without_drafts) parts.push({ status: { $ne: 'draft' } });
  const { start_date_from: from, start_date_to: to, upcoming_at, starts_on } = filter;
  if (from !== undefined) {
    parts.push({ start_date: { $gte: from }, starts_at: { $gt: shifted(new Date(from), -ZONES_MS) } });
  }
  if (to !== undefined)
    parts.push({ start_date: { $lte: to }, starts_at: { $lt: shifted(new Date(to), 2 * ZONES_MS) } });
  if (upcoming_at) parts.push({ status: { $in: UPCOMING }, starts_at: { $gt: upcoming_at } });
  if (starts_on) parts.push(...startingOn(starts_on));
  return parts;
}

const inClassAndGrade = ({ class_ids, grade_level_ids }: NonNullable<EventFilter['for_children']>[number]): Query => ({
  class_id: { $in: [null, ...class_ids] },
  $or: [{ grade_level_ids: { $size: 0 } }, { grade_level_ids: { $in: grade_level_ids } }],
});

/** The most selective term, for the index; the query still contains all filters. */
function entryOf(filters: readonly EventFilter[]): Query | string | null {
  for (const [field, kind] of FIELD_TERMS) {
    for (const filter of filters) {
      const value = filter[field];
      if (value === true) return term(kind, true);
      if (Array.isArray(value)) return { $in: value.map((one) => term(kind, one)) };
    }
  }
  return null;
}

/** Matches a school's events by the longest word of a search. Null: there is none, or another filter has an index for it. */
export function wordQuery({ school_id, tenant_id }: VisibleEvents, filters: readonly EventFilter[]): Query | null {
  const [longest] = filters.flatMap(({ words }) => words ?? []).sort((a, b) => b.length - a.length);
  if (longest === undefined || entryOf(filters) || filters.some(({ during }) => during)) return null;
  return { school_id, tenant_id, terms: startingWith(longest) };
}

const startingWith = (word: string) => ({ $regex: `^${term('word', word)}` });

/** All-day events are compared by date, so their instants may differ by up to a day in this zone. */
function startingOn({ first, last, from, until }: Days): Query[] {
  const wholeDay = { all_day: true, start_date: { $gte: first, $lte: last } };
  const timed = { all_day: false, starts_at: { $gte: from, $lt: until } };
  return [{ starts_at: { $gt: shifted(from, -ZONES_MS), $lt: shifted(until, ZONES_MS) } }, { $or: [timed, wholeDay] }];
}

/** Three queries for the events on these days (timed, all-day, long), so that none scans all events that ever started. */
function spansQueries(spans: readonly Days[]): Query[][] {
  const timed = spans.map(({ from, until }) => ({ starts_at: { $lt: until }, ends_at: { $gt: from } }));
  const dates = spans.map(({ first, last }) => ({ start_date: { $lte: last }, end_date: { $gte: first } }));
  const near = spans.map(({ from, until }) => ({
    starts_at: { $lt: shifted(until, ZONES_MS) },
    ends_at: { $gt: shifted(from, -ZONES_MS) },
  }));
  const exact = spans.map((_, i) => ({
    $or: [
      { all_day: false, ...timed[i] },
      { all_day: true, ...dates[i] },
    ],
  }));
  const since = spans.map(({ from }) => ({ starts_at: { $gte: shifted(from, -LONG_MS) } }));
  const sinceDates = spans.map(({ from }) => ({ starts_at: { $gte: shifted(from, -LONG_MS - ZONES_MS) } }));
  return [
    [{ all_day: false, long: false }, ...timed, ...since],
    [{ all_day: true, long: false }, ...dates, ...near, ...sinceDates],
    [{ long: true }, ...exact, ...near],
  ];
}

export type Query = Record<string, unknown>;

/** All dates of a series. */
export const seriesQuery = (parent_id: string): Query => ({
  $or: [{ _id: parent_id }, { parent_event_id: { $eq: parent_id, ...IS_STRING } }],
});

/** Matches events after another one, by start and id. Uses no `$or`, so that MongoDB uses the order and bounds of the index. */
export function beyondQuery({ at, id }: Moment, descending = false): Query {
  return descending
    ? { starts_at: { $lte: at }, $nor: [{ starts_at: at, _id: { $gte: id } }] }
    : { starts_at: { $gte: at }, $nor: [{ starts_at: at, _id: { $lte: id } }] };
}

/** Matches exactly the visible events, and never an event of another tenant or school. */
function visibleQuery(visible: VisibleEvents): Query {
  const { school_id, tenant_id, all, organizer_id, levels, restricted } = visible;
  const scope = { school_id, tenant_id, deleted_at: null };
  if (all) return scope;
  const shown = shownQuery(visible);
  const alternatives: Query[] = [{ ...shown, visibility: { $in: levels } }];
  if (organizer_id !== null) alternatives.push({ organizer_id });
  if (restricted) {
    const named = { 'restricted_to.user_ids': { $in: restricted.user_ids } };
    alternatives.push({ ...shown, visibility: 'restricted', $or: [named, ...restricted.groups.map(fits)] });
  }
  return { ...scope, $or: alternatives };
}

/** Matches what a viewer sees without being the organizer, at the levels of the viewer. */
export const levelQuery = (visible: VisibleEvents): Query =>
  visible.all ? {} : { ...shownQuery(visible), visibility: { $in: visible.levels } };

const shownQuery = ({ statuses, inactive }: VisibleEvents): Query => ({
  status: 'only' in statuses ? { $in: statuses.only } : { $nin: statuses.except },
  ...(inactive ? {} : { is_active: true }),
});

/** At least one list is set, and every list that is set contains a value of this person. */
function fits(group: Groups): Query {
  const first = (list: RestrictionList) => `restricted_to.${list}.0`;
  const every = RESTRICTION_LISTS.map((list) => ({
    $or: [{ [first(list)]: { $exists: false } }, { [`restricted_to.${list}`]: { $in: group[list] } }],
  }));
  return { $and: [{ $or: RESTRICTION_LISTS.map((list) => ({ [first(list)]: { $exists: true } })) }, ...every] };
}

/**
 * Terms of which every visible event has at least one, so that a caller who sees few of many events uses the index; null
 * for callers who see everything.
 */
function visibilityTerms({ all, organizer_id, levels, restricted }: VisibleEvents): string[] | null {
  if (all) return null;
  const found = levels.map((level) => term('seen', level));
  if (organizer_id !== null) found.push(term('organizer', organizer_id));
  for (const id of restricted?.user_ids ?? []) found.push(forTerm('user_ids', id));
  for (const group of restricted?.groups ?? []) {
    for (const list of RESTRICTION_LISTS) for (const value of group[list]) found.push(forTerm(list, value));
  }
  return [...new Set(found)];
}
