import { addDays, type Days, daysOf, instantOf, wallTimeOf } from '../../core/zoned-time.ts';
import { type EventStatus, placeName, type SchoolEvent } from '../event.ts';
import type { EventFilter } from './filter.ts';
import { clockMinutes, clockTime, SCHEDULE_FIELDS } from './schedule.ts';
import { seriesIdOf } from './series.ts';

/** The reasons why two events should not take place at the same time. */
export const SHARED = ['place', 'class', 'grade', 'organizer', 'holiday', 'calendar'] as const;
export type Shared = (typeof SHARED)[number];

/** The stored fields that decide whether two events clash. */
export const CLASH_FIELDS = [
  'id',
  'parent_event_id',
  'event_type',
  ...SCHEDULE_FIELDS,
  'starts_at',
  'ends_at',
  'location_name',
  'location',
  'class_id',
  'grade_level_ids',
  'organizer_id',
  'status',
  'postponed_to',
] as const satisfies readonly (keyof SchoolEvent)[];
export type Booking = Pick<SchoolEvent, (typeof CLASH_FIELDS)[number]>;

/** The statuses of events that hold their place and time; a draft is only a plan. */
const HOLDING: EventStatus[] = ['scheduled', 'published', 'in_progress', 'postponed'];

/** Whether an event takes place at its time: a postponed one does once it has a new date. */
const takesPlace = ({ status, postponed_to }: Booking): boolean =>
  HOLDING.includes(status) && (status !== 'postponed' || postponed_to !== null);

/** Whether a change leaves an event that can clash: planned, or with a time that people count on. */
export const canClash = (event: Booking & Pick<SchoolEvent, 'deleted_at'>): boolean =>
  event.deleted_at === null && (event.status === 'draft' || takesPlace(event));

/** Finds the events that take place, at least in part, during another. */
export const during = (days: Days): EventFilter => ({ during: days, status: HOLDING });

/** The days and instants of an event. An all-day event lasts from midnight to midnight in its zone. */
export function spanOf({ all_day, start_date, end_date, starts_at, ends_at, timezone }: Booking): Days {
  const days = daysOf(start_date, end_date, timezone);
  return all_day ? days : { ...days, from: starts_at, until: ends_at };
}

/** The things that two events share, even at different times; none within a series. */
export function sharedBy(a: Booking, b: Booking): Shared[] {
  if (seriesIdOf(a) === seriesIdOf(b) || !takesPlace(b)) return [];
  if (a.event_type === 'holiday') return [];
  if (b.event_type === 'holiday') return ['holiday'];
  const found: Shared[] = [];
  if (isSamePlace(a, b)) found.push('place');
  if (a.class_id !== null && a.class_id === b.class_id) found.push('class');
  // Two classes of a grade can do different things at the same time.
  const isOfTwoClasses = a.class_id !== null && b.class_id !== null;
  if (!isOfTwoClasses && a.grade_level_ids.some((grade) => b.grade_level_ids.includes(grade))) found.push('grade');
  if (a.organizer_id !== null && a.organizer_id === b.organizer_id) found.push('organizer');
  return found;
}

const normalized = (text: string | null | undefined): string =>
  (text ?? '').normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

/**
 * Two rooms are the same if their names are, and those of their buildings and places as far as both are given. Without a
 * room, places are compared by name.
 */
function isSamePlace(a: Booking, b: Booking): boolean {
  const [one, other] = [placeOf(a), placeOf(b)];
  if (!one || !other) return false;
  const isUnlike = (name: 'building' | 'name') => one[name] !== '' && other[name] !== '' && one[name] !== other[name];
  if (one.room !== other.room || isUnlike('building')) return false;
  return one.room !== '' ? !isUnlike('name') : one.name !== '' && one.name === other.name;
}

function placeOf(event: Booking) {
  const { location } = event;
  if (location?.isVirtual) return null;
  return {
    room: normalized(location?.room),
    building: normalized(location?.building),
    name: normalized(placeName(event)),
  };
}

/** A time at which an event could take place instead, on the wall clock of its zone. */
export type FreeTime = Pick<SchoolEvent, 'start_date' | 'end_date'> & { start_time: string; end_time: string };

const STEP_MINUTES = 30;
const [DAY_BEGINS, DAY_ENDS] = [7 * 60, 20 * 60];
const SAME_DAY = 2;
const FREE_TIMES = 3;
/** How many days after the event's own are searched. */
export const SEARCHED_DAYS = 7;

/**
 * Suggests up to three free times for an event of some hours: the nearest on the same day, between 7:00 and 20:00, then the
 * same time on the next working days.
 * @param taken the spans of everything that would clash with the event, from its first day for `SEARCHED_DAYS`
 */
export function freeTimes(event: Booking, taken: readonly Days[], now: Date): FreeTime[] {
  const minutes = Math.round((event.ends_at.getTime() - event.starts_at.getTime()) / 60_000);
  if (event.all_day || minutes > DAY_ENDS - DAY_BEGINS) return [];
  const zone = event.timezone;
  const wanted = clockMinutes(wallTimeOf(event.starts_at, zone).time);
  const isFree = (from: Date) => {
    const until = new Date(from.getTime() + minutes * 60_000);
    return from > now && !taken.some((span) => span.from < until && span.until > from);
  };
  const startAt = (date: string, minute: number) => instantOf({ date, time: clockTime(minute), zone });
  const sameDay = startMinutes(minutes)
    .sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))
    .map((minute) => startAt(event.start_date, minute));
  const nextDays = Array.from({ length: SEARCHED_DAYS }, (_, at) => addDays(event.start_date, at + 1))
    .filter((date) => !isWeekend(date))
    .map((date) => startAt(date, wanted));
  const near = sameDay.filter(isFree).slice(0, SAME_DAY);
  return [...near, ...nextDays.filter(isFree)].slice(0, FREE_TIMES).map((from) => {
    const [start, end] = [wallTimeOf(from, zone), wallTimeOf(new Date(from.getTime() + minutes * 60_000), zone)];
    return { start_date: start.date, start_time: start.time, end_date: end.date, end_time: end.time };
  });
}

const startMinutes = (minutes: number): number[] => {
  const count = Math.floor((DAY_ENDS - DAY_BEGINS - minutes) / STEP_MINUTES) + 1;
  return Array.from({ length: count }, (_, at) => DAY_BEGINS + at * STEP_MINUTES);
};

const isWeekend = (date: string): boolean => [0, 6].includes(new Date(date).getUTCDay());
