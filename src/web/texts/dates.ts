import type { SchoolEvent } from '../api/types.ts';
import { capital, formatTag, t } from './texts.ts';

const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = formatTag() + JSON.stringify(options);
  const cached = formats.get(key) ?? new Intl.DateTimeFormat(formatTag(), options);
  formats.set(key, cached);
  return cached;
}

/** Midnight UTC of a day, for arithmetic without zones. */
const utc = (day: string): Date => new Date(`${day}T00:00:00Z`);

export const addDays = (day: string, days: number): string =>
  new Date(utc(day).getTime() + days * DAY_MS).toISOString().slice(0, 10);

/** The days from one on, by default those of a week. */
export const daysFrom = (first: string, count = 7): string[] =>
  Array.from({ length: count }, (_, at) => addDays(first, at));

export const daysBetween = (from: string, to: string): number =>
  Math.round((utc(to).getTime() - utc(from).getTime()) / DAY_MS);

/** The same day `months` later, or the last day of that month. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}

/** 0 is Monday. */
export const weekdayOf = (day: string): number => (utc(day).getUTCDay() + 6) % 7;

/** Whether a text is a day of the years that the API knows; a year that is being typed is none of them. */
export const isDay = (text: unknown): text is string =>
  typeof text === 'string' && /^(19[7-9]\d|20\d\d|2100)-\d{2}-\d{2}$/.test(text) && !Number.isNaN(utc(text).getTime());

/** Minutes from midnight to a time such as 18:05. */
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** The time of day this number of minutes after midnight, also of another day. */
export function timeAt(minutes: number): string {
  const inDay = ((minutes % 1440) + 1440) % 1440;
  return `${String(Math.floor(inDay / 60)).padStart(2, '0')}:${String(inDay % 60).padStart(2, '0')}`;
}

/** A time `minutes` later, and the number of midnights in between. */
export function later(time: string, minutes: number): { time: string; days: number } {
  const total = minutesOf(time) + minutes;
  return { time: timeAt(total), days: Math.floor(total / 1440) };
}

type StartAndEnd = { start_date: string; start_time: string | null; end_date: string; end_time: string | null };

/** The minutes by the clock from a start to an end; NaN while a date or time is missing. */
export const lengthOf = ({ start_date, start_time, end_date, end_time }: StartAndEnd): number =>
  start_time && end_time
    ? daysBetween(start_date, end_date) * 1440 + minutesOf(end_time) - minutesOf(start_time)
    : Number.NaN;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** By zone alone: a calendar asks thousands of times, and to write a key of all options takes half as long as to format. */
function clockIn(zone: string): Intl.DateTimeFormat {
  const two = '2-digit';
  const options = { year: 'numeric', month: two, day: two, hour: two, minute: two, hourCycle: 'h23' } as const;
  const clock = clocks.get(zone) ?? new Intl.DateTimeFormat('en-CA', { ...options, timeZone: zone });
  clocks.set(zone, clock);
  return clock;
}

/** Local day and time of an instant in a zone: `2026-11-21`, `18:05`. */
export function inZone(instant: string | number, zone: string): { day: string; time: string } {
  const parts = clockIn(zone).formatToParts(new Date(instant));
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return { day: `${part('year')}-${part('month')}-${part('day')}`, time: `${part('hour')}:${part('minute')}` };
}

/** Groups a list by day, in its order. `Map.groupBy` is missing in Safari before 17.4, which phones of families have. */
export function groupByDay<T>(all: readonly T[], dayOf: (one: T) => string): [day: string, some: T[]][] {
  const days = new Map<string, T[]>();
  for (const one of all) {
    const day = dayOf(one);
    days.set(day, [...(days.get(day) ?? []), one]);
  }
  return [...days];
}

let own = '';

/** The zone of this device; cached, since Intl is slow to resolve it. */
export function ownZone(): string {
  own ||= Intl.DateTimeFormat().resolvedOptions().timeZone;
  return own;
}

/** The name of a zone as people read it: America/New York. */
export const zoneText = (zone: string): string => zone.replaceAll('_', ' ');

const dayFormat = (options: Intl.DateTimeFormatOptions) => (day: string) =>
  format({ ...options, timeZone: 'UTC' }).format(utc(day));

/** Saturday 21 November 2026 */
export const longDay = dayFormat({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
/** Sat 21 November 2026 */
export const datedDay = dayFormat({ weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' });
/** Sat 21 Nov */
export const shortDay = dayFormat({ weekday: 'short', day: 'numeric', month: 'short' });
/** Saturday 21 November */
export const plainDay = dayFormat({ weekday: 'long', day: 'numeric', month: 'long' });
/** November 2026 */
export const monthName = dayFormat({ month: 'long', year: 'numeric' });
export const dayNumber = (day: string): string => String(Number(day.slice(8)));
export const weekdayShort = dayFormat({ weekday: 'short' });
export const weekdayLong = dayFormat({ weekday: 'long' });

/** 16–22 November 2026 */
export const dayRange = (from: string, to: string): string =>
  format({ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).formatRange(utc(from), utc(to));

/** 21 Nov – 20 Dec */
export function shortRange(from: string, to: string): string {
  const short = format({ day: 'numeric', month: 'short', timeZone: 'UTC' });
  // Browsers write a range over New Year with years, and in Czech unlike any other date: 23.12.2026 – 21.01.2027.
  if (from.slice(0, 4) !== to.slice(0, 4)) return `${short.format(utc(from))} – ${short.format(utc(to))}`;
  return short.formatRange(utc(from), utc(to));
}

/** A time in the current language, such as 18:05. */
export const clockTime = (time: string): string =>
  format({ hour: '2-digit', minute: '2-digit', timeZone: 'UTC' }).format(new Date(`1970-01-01T${time}:00Z`));

/** The time of an instant on the clock of a zone. */
export const clockTimeIn = (instant: string | number, zone: string): string => clockTime(inZone(instant, zone).time);

/** Whether clocks in a zone differ from that of this device at an instant. */
export function isElsewhere(instant: string, zone: string): boolean {
  if (zone === ownZone()) return false;
  const [there, here] = [zone, ownZone()].map((one) => inZone(instant, one));
  return there?.day !== here?.day || there?.time !== here?.time;
}

/** Names a zone in which times are shown or entered, if its clocks differ from those of this device. */
export const zoneHint = (timezone: string, instant: string): string | undefined =>
  isElsewhere(instant, timezone) ? t('calendar.zone', { zone: zoneText(timezone) }) : undefined;

/**
 * An instant with its day, in a zone, by default that of this device: Sat 21 Nov, 18:05; with the year if it is another one,
 * and with the zone if its clocks differ from that of this device. Czech `po 30. 11.` in small letters also means “after
 * 30 November”.
 */
export function momentIn(instant: string, zone = ownZone()): string {
  const [year, now] = [instant, Date.now()].map((one) => inZone(one, zone).day.slice(0, 4));
  const moment = format({
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(year === now ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone,
    ...(isElsewhere(instant, zone) ? { timeZoneName: 'short' } : {}),
  }).format(new Date(instant));
  return capital(moment);
}

/** Short name of a zone in the current language, such as CET or GMT+1. */
export function zoneName(zone: string, instant: string | number): string {
  const parts = format({ timeZone: zone, timeZoneName: 'short' }).formatToParts(new Date(instant));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

type Postponed = Pick<SchoolEvent, 'status' | 'postponed_to'>;

/** Whether an event is postponed to a date that is not known yet. */
export const isUndecided = ({ status, postponed_to }: Postponed): boolean =>
  status === 'postponed' && postponed_to === null;

type Times = Pick<SchoolEvent, 'start_date' | 'end_date' | 'starts_at' | 'ends_at' | 'timezone' | 'all_day'>;

/**
 * Days and times of an event in its own zone, which is named if its clocks differ from that of this device; `times` null: all
 * day. A clock change may skip the time that was entered.
 */
export function scheduleText(event: Times, namesZone = isElsewhere(event.starts_at, event.timezone)) {
  const { start_date, end_date, starts_at, ends_at, timezone, all_day } = event;
  const days = start_date === end_date ? longDay(start_date) : dayRange(start_date, end_date);
  if (all_day) return { days, times: null };
  const [from, to] = [clockTimeIn(starts_at, timezone), clockTimeIn(ends_at, timezone)];
  const zone = namesZone ? ` (${zoneName(timezone, starts_at)})` : '';
  if (start_date === end_date) return { days, times: `${from}–${to}${zone}` };
  // Over several days, name the day of each time.
  return { days, times: `${shortDay(start_date)} ${from} – ${shortDay(end_date)} ${to}${zone}` };
}

/** Days and times in one line; or that they are not known yet. */
export function whenText(event: Times & Postponed): string {
  if (isUndecided(event)) return t('calendar.noDate');
  const { days, times } = scheduleText(event);
  return [days, times].filter(Boolean).join(', ');
}
