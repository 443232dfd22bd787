import { DateTime } from 'luxon';
import { instantOf } from '../../core/zoned-time.ts';
import type { Schedule } from '../../outbox/fact.ts';
import type { Locale } from '../../people/contact.ts';

/** The formats of luxon for days, and our own words. */
const WORDS = {
  en: { allDay: 'all day', day: 'cccc d MMMM', date: 'd MMMM', shortDay: 'ccc d MMM' },
  cs: { allDay: 'celý den', day: 'cccc d. MMMM', date: 'd. MMMM', shortDay: 'ccc d. M.' },
} as const satisfies Record<Locale, Record<'allDay' | 'day' | 'date' | 'shortDay', string>>;

/** Start and end in one time zone; all-day dates are the same in every zone. */
export type Span = { start: DateTime; end: DateTime; timed: boolean; all_day: boolean };

/** The dates of a schedule in a zone. */
export function spanOf(schedule: Schedule, zone: string): Span {
  const { start_date, start_time, end_date, end_time, timezone, all_day } = schedule;
  if (all_day || start_time === null) {
    const day = (date: string) => DateTime.fromISO(date, { zone: 'utc' });
    return { start: day(start_date), end: day(end_date), timed: false, all_day };
  }
  const at = (date: string, time: string) => DateTime.fromJSDate(instantOf({ date, time, zone: timezone }), { zone });
  const start = at(start_date, start_time);
  return { start, end: end_time === null ? start : at(end_date, end_time), timed: true, all_day };
}

/** `Monday 7 September 2026, 18:00–19:30` */
export function inWords({ start, end, timed, all_day }: Span, locale: Locale): string {
  const day = (at: DateTime) => at.toFormat(WORDS[locale].day, { locale });
  const dated = (at: DateTime) => `${day(at)} ${at.year}`;
  if (!timed) {
    if (isSameDay(start, end)) return `${dated(start)}${all_day ? ` (${WORDS[locale].allDay})` : ''}`;
    return `${start.year === end.year ? day(start) : dated(start)} – ${dated(end)}`;
  }
  const from = `${dated(start)}, ${timeOf(start)}`;
  if (+end <= +start) return from;
  return isSameDay(start, end) ? `${from}–${timeOf(end)}` : `${from} – ${dated(end)}, ${timeOf(end)}`;
}

/** Short form: `Mon 7 Sep, 18:00`; with the year only if it is not `thisYear`. */
export function inShort({ start, end, timed }: Span, locale: Locale, thisYear: number): string {
  const dayOf = (at: DateTime) => shortDay(at, locale, thisYear);
  if (timed) return `${dayOf(start)}${locale === 'en' ? ',' : ''} ${timeOf(start)}`;
  return isSameDay(start, end) ? dayOf(start) : `${dayOf(start)} – ${dayOf(end)}`;
}

/** One moment on the clock of a zone. */
export function momentSpan(at: Date, zone: string): Span {
  const start = DateTime.fromJSDate(at, { zone });
  return { start, end: start, timed: true, all_day: false };
}

/** `Mon 7 Sep`; with the year only if it is not `thisYear`. */
export function shortDay(at: DateTime, locale: Locale, thisYear: number): string {
  const day = at.toFormat(WORDS[locale].shortDay, { locale });
  return at.year === thisYear ? day : `${day} ${at.year}`;
}

/** `7 September 2026`; without the year if `next`, which is named after it, is in the same one. */
export function dayInWords({ start }: Span, locale: Locale, next?: Span): string {
  const day = start.toFormat(WORDS[locale].date, { locale });
  return next?.start.year === start.year ? day : `${day} ${start.year}`;
}

/** `18:00–19:30` of a date that begins and ends on one day, else ''. */
export function timesInWords({ start, end, timed }: Span): string {
  if (!timed || !isSameDay(start, end)) return '';
  return +end <= +start ? timeOf(start) : `${timeOf(start)}–${timeOf(end)}`;
}

const isSameDay = (a: DateTime, b: DateTime): boolean => a.toISODate() === b.toISODate();

const timeOf = (at: DateTime): string => at.toFormat('HH:mm');

/** The name of a zone: `Prague time`, `středoevropský čas`. */
export function zoneInWords(zone: string, locale: Locale, at: Date): string {
  if (/^(UTC|Zulu|Universal|Etc\/.*|GMT)$/i.test(zone)) return zone.replace(/^Etc\//, '');
  if (locale === 'en') return `${zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')} time`;
  const named = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'longGeneric' }).formatToParts(at);
  return named.find((part) => part.type === 'timeZoneName')?.value ?? zone;
}
