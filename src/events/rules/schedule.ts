import { pick } from '../../core/objects.ts';
import { addDays, daysBetween, instantOf, wallTimeOf, ZONE_RULES } from '../../core/zoned-time.ts';
import type { Schedule } from '../../outbox/fact.ts';

/** The times of a timed event that gives none. */
export const DEFAULT_START = '09:00';
export const DEFAULT_END = '10:00';

/** A schedule as instants, and the version of the time zone database they were derived with. */
type Instants = { starts_at: Date; ends_at: Date; tz_version: string };

/**
 * Derives start and end from the wall clock in the event's zone; all-day events last from 00:00 of the first day to 24:00
 * of the last. A start that a clock change skips moves forward, and the end of that day moves with it. The only place where
 * instants are derived.
 */
export function instantsOf(schedule: Schedule): Instants {
  const { start_date, end_date, timezone: zone } = schedule;
  const from = { date: start_date, time: schedule.all_day ? '00:00' : (schedule.start_time ?? DEFAULT_START), zone };
  const to = schedule.all_day
    ? { date: addDays(end_date, 1), time: '00:00', zone }
    : { date: end_date, time: schedule.end_time ?? DEFAULT_END, zone };
  const starts_at = instantOf(from);
  const isSkipped = start_date === end_date && !schedule.all_day && wallTimeOf(starts_at, zone).time !== from.time;
  const ends = isSkipped ? starts_at.getTime() + minutesOf(schedule) * 60_000 : instantOf(to).getTime();
  const ends_at = new Date(Math.max(starts_at.getTime(), ends));
  return { starts_at, ends_at, tz_version: ZONE_RULES };
}

/** The fields of an event that make its schedule. */
export const SCHEDULE_FIELDS = [
  'start_date',
  'end_date',
  'start_time',
  'end_time',
  'timezone',
  'all_day',
] as const satisfies readonly (keyof Schedule)[];

export const scheduleOf = (event: Schedule): Schedule => pick(event, SCHEDULE_FIELDS);

/** The deadline moved by a number of days, at the same wall-clock time in the event's zone. */
export function deadlineShifted(
  { registration_deadline, timezone: zone }: { registration_deadline: Date | null; timezone: string },
  days: number,
): Date | null {
  if (registration_deadline === null) return null;
  const { date, time } = wallTimeOf(registration_deadline, zone);
  const seconds = registration_deadline.getTime() % 60_000;
  return new Date(instantOf({ date: addDays(date, days), time, zone }).getTime() + seconds);
}

/** The new dates of a postponement; missing values keep the event's duration and times. */
export type NewDates = {
  new_start_date: string;
  new_end_date?: string | null;
  new_start_time?: string | null;
  new_end_time?: string | null;
};

/** The schedule moved to new dates (docs/decisions.md, "What does postpone do?"). */
export function movedTo(schedule: Schedule, dates: NewDates): Schedule {
  const days = daysBetween(schedule.start_date, schedule.end_date);
  const end_date = dates.new_end_date ?? addDays(dates.new_start_date, days);
  const moved = { ...schedule, start_date: dates.new_start_date, end_date };
  if (schedule.all_day) return moved;
  const start_time = dates.new_start_time ?? schedule.start_time ?? DEFAULT_START;
  if (dates.new_end_time) return { ...moved, start_time, end_time: dates.new_end_time };
  const end = endAfter(dates.new_start_date, start_time, minutesOf(schedule));
  return { ...moved, start_time, end_time: end.end_time, end_date: dates.new_end_date ?? end.end_date };
}

/** Minutes from midnight to a time of day, HH:MM. */
export const clockMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** The time of day, HH:MM, this number of minutes after midnight. */
export const clockTime = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

/** The wall-clock duration of a schedule in minutes; all-day events include their last day. */
export function minutesOf(schedule: Schedule): number {
  const days = daysBetween(schedule.start_date, schedule.end_date);
  if (schedule.all_day) return (days + 1) * 1440;
  return (
    days * 1440 + clockMinutes(schedule.end_time ?? DEFAULT_END) - clockMinutes(schedule.start_time ?? DEFAULT_START)
  );
}

/** The wall-clock end, `minutes` after a wall-clock start. */
export function endAfter(date: string, time: string, minutes: number): { end_date: string; end_time: string } {
  const total = clockMinutes(time) + minutes;
  const days = Math.floor(total / 1440);
  return { end_date: addDays(date, days), end_time: clockTime(total - days * 1440) };
}
