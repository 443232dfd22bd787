import { DateTime } from 'luxon';
import type { RecurrencePattern } from '../../events/event.ts';
import { instantsOf } from '../../events/rules/schedule.ts';
import type { Schedule } from '../../outbox/fact.ts';
import type { Locale } from '../../people/contact.ts';

/** The formats of luxon for days, what stands between a short day and its time, and our own words. */
const WORDS = {
  en: { allDay: 'all day', day: 'cccc d MMMM', date: 'd MMMM', shortDay: 'ccc d MMM', atTime: ', ' },
  cs: { allDay: 'celý den', day: 'cccc d. MMMM', date: 'd. MMMM', shortDay: 'ccc d. M.', atTime: ' ' },
} as const satisfies Record<Locale, Record<'allDay' | 'day' | 'date' | 'shortDay' | 'atTime', string>>;

/** Start and end in one time zone; all-day dates are the same in every zone. */
export type Span = { start: DateTime; end: DateTime; timed: boolean; all_day: boolean };

/** The dates of a schedule in a zone. */
export function spanOf(schedule: Schedule, zone: string): Span {
  const { start_date, start_time, end_date, end_time, all_day } = schedule;
  if (all_day || start_time === null) {
    const day = (date: string) => DateTime.fromISO(date, { zone: 'utc' });
    return { start: day(start_date), end: day(end_date), timed: false, all_day };
  }
  const { starts_at, ends_at } = instantsOf(schedule);
  const { start } = momentSpan(starts_at, zone);
  return { start, end: end_time === null ? start : momentSpan(ends_at, zone).start, timed: true, all_day };
}

/** `Monday 7 September 2026, 18:00–19:30` */
export function inWords({ start, end, timed, all_day }: Span, locale: Locale): string {
  const day = (at: DateTime) => at.toFormat(WORDS[locale].day, { locale });
  const dated = (at: DateTime) => `${day(at)} ${at.year}`;
  if (!timed) {
    if (isSameDay(start, end)) return `${dated(start)}${all_day ? ` (${WORDS[locale].allDay})` : ''}`;
    return `${start.year === end.year ? day(start) : dated(start)} – ${dated(end)}`;
  }
  const from = `${dated(start)}, ${timeOf(start, locale)}`;
  if (+end <= +start) return from;
  const to = timeOf(end, locale);
  return isSameDay(start, end) ? `${from}–${to}` : `${from} – ${dated(end)}, ${to}`;
}

/** Short form: `Mon 7 Sep, 18:00`; with the year only if it is not `thisYear`. */
export function inShort({ start, end, timed }: Span, locale: Locale, thisYear: number): string {
  const dayOf = (at: DateTime) => shortDay(at, locale, thisYear);
  if (timed) return dayOf(start) + WORDS[locale].atTime + timeOf(start, locale);
  if (isSameDay(start, end)) return dayOf(start);
  return `${shortDay(start, locale, start.year === end.year ? start.year : thisYear)} – ${dayOf(end)}`;
}

/** One moment on the clock of a zone. */
export function momentSpan(at: Date, zone: string): Span {
  const start = DateTime.fromJSDate(at, { zone });
  return { start, end: start, timed: true, all_day: false };
}

/** `Mon 7 Sep`; with the year only if it is not `thisYear`. In Czech, `po 7. 9.` in small letters also means “after 7 September”. */
function shortDay(at: DateTime, locale: Locale, thisYear: number): string {
  const day = at.toFormat(WORDS[locale].shortDay, { locale });
  const named = day.charAt(0).toUpperCase() + day.slice(1);
  return at.year === thisYear ? named : `${named} ${at.year}`;
}

/** `7 September 2026`; without the year if `next`, which is named after it, is in the same one. */
function dayInWords({ start }: Span, locale: Locale, next?: Span): string {
  const day = start.toFormat(WORDS[locale].date, { locale });
  return next?.start.year === start.year ? day : `${day} ${start.year}`;
}

/** `18:00–19:30` of a date that begins and ends on one day, else ''. */
export function timesInWords({ start, end, timed }: Span, locale: Locale): string {
  if (!timed || !isSameDay(start, end)) return '';
  const from = timeOf(start, locale);
  return +end <= +start ? from : `${from}–${timeOf(end, locale)}`;
}

const isSameDay = (a: DateTime, b: DateTime): boolean => a.toISODate() === b.toISODate();

/** `18:00`; with the name of the zone if clocks show it twice that night. */
const timeOf = (at: DateTime, locale: Locale): string =>
  at.toFormat(at.getPossibleOffsets().length > 1 ? 'HH:mm ZZZZ' : 'HH:mm', {
    locale: locale === 'en' ? 'en-GB' : locale,
  });

/** The name of a zone: `Prague time`, `středoevropský čas`. */
export function zoneInWords(zone: string, locale: Locale, at: Date): string {
  if (/^(UTC|Zulu|Universal|Etc\/.*|GMT)$/i.test(zone)) return zone.replace(/^Etc\//, '');
  if (locale === 'en') return `${zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')} time`;
  const named = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'longGeneric' }).formatToParts(at);
  return named.find((part) => part.type === 'timeZoneName')?.value ?? zone;
}

/** `earliest` follows the earliest of several deadlines. */
const SERIES_WORDS = {
  en: {
    every: { none: '', daily: 'Every day', weekly: 'Every week', monthly: 'Every month', yearly: 'Every year' },
    dates: (count: number) => `${count} dates`,
    from: 'from',
    to: 'to',
    yours: 'your time',
    previously: 'previously',
    registerBy: 'register by',
    earliest: 'each date has its own',
  },
  cs: {
    every: { none: '', daily: 'Každý den', weekly: 'Každý týden', monthly: 'Každý měsíc', yearly: 'Každý rok' },
    dates: (count: number) => `${count} ${count < 5 ? 'termíny' : 'termínů'}`,
    from: 'od',
    to: 'do',
    yours: 've Vašem čase',
    previously: 'původně',
    registerBy: 'přihlášky nejpozději:',
    earliest: 'každý termín má svou lhůtu',
  },
} satisfies Record<Locale, object>;

/** More dates than this are counted in short texts instead of listed. */
const LISTED = 6;

/**
 * The dates of a series in one line: `Every week, 6 dates from 12 October to 16 November 2026, 16:00–17:00`.
 * @param spans at least two, in order
 * @param pattern how the series repeats; `none`: not stated
 */
export function seriesInWords(spans: readonly Span[], pattern: RecurrencePattern, locale: Locale): string {
  const { every, dates, from, to } = SERIES_WORDS[locale];
  const [first, last] = endsOf(spans);
  const range = `${dates(spans.length)} ${from} ${dayInWords(first, locale, last)} ${to} ${dayInWords(last, locale)}`;
  return [every[pattern], range, commonTimes(spans, locale)].filter((part) => part !== '').join(', ');
}

/** Short form: `every week from Mon 12 Oct, 16:00, 6 dates`, or without a pattern `Mon 2 Nov, Mon 9 Nov, 16:00`. */
export function seriesInShort(
  spans: readonly Span[],
  pattern: RecurrencePattern,
  locale: Locale,
  thisYear: number,
): string {
  const { every, dates, from, to } = SERIES_WORDS[locale];
  const [first, last] = endsOf(spans);
  const day = ({ start }: Span) => shortDay(start, locale, thisYear);
  const count = dates(spans.length);
  const time = commonTimes(spans, locale).split('–').slice(0, 1).filter(Boolean);
  if (pattern !== 'none') return [`${every[pattern].toLowerCase()} ${from} ${day(first)}`, ...time, count].join(', ');
  if (spans.length > LISTED) return [`${count} ${from} ${day(first)} ${to} ${day(last)}`, ...time].join(', ');
  if (time.length === 0) return spans.map((span) => inShort(span, locale, thisYear)).join('; ');
  return [...spans.map(day), ...time].join(', ');
}

/** One date of a series, and what differs from the others. */
type Line = Record<
  'when' | 'when_yours' | 'previous_when' | 'title' | 'place' | 'previous_place' | 'register_by',
  string
>;

/** A line for each date: `Monday 2 November 2026, 17:00–18:00, Gym (previously Monday 2 November 2026, 16:00–17:00)`. */
export function seriesLines(lines: readonly Line[], locale: Locale): string {
  const { yours, previously, registerBy } = SERIES_WORDS[locale];
  return lines
    .map(({ when, when_yours, previous_when, title, place, previous_place, register_by }) => {
      const before = [previous_when, previous_place].filter((text) => text !== '').join(', ');
      const notes = [
        ...(when_yours ? [`${yours}: ${when_yours}`] : []),
        ...(before && when ? [`${previously} ${before}`] : []),
        ...(register_by ? [`${registerBy} ${register_by}`] : []),
      ];
      const text = [when || before, title, place].filter((part) => part !== '').join(', ');
      return notes.length > 0 ? `${text} (${notes.join('; ')})` : text;
    })
    .join('\n');
}

/**
 * The registration deadline of a series: the only one, or the earliest with a note.
 * @param deadlines in words, of each date in order of time; '' for none
 */
export function seriesDeadline(deadlines: readonly string[], locale: Locale): string {
  const first = deadlines.find((deadline) => deadline !== '') ?? '';
  return first === '' || new Set(deadlines).size === 1 ? first : `${first} (${SERIES_WORDS[locale].earliest})`;
}

const endsOf = (spans: readonly Span[]): [Span, Span] => [spans[0] as Span, spans.at(-1) as Span];

/** The time of day of all dates, or '' if it differs or they last whole days. */
function commonTimes(spans: readonly Span[], locale: Locale): string {
  const times = new Set(spans.map((span) => timesInWords(span, locale)));
  return times.size === 1 ? ([...times][0] ?? '') : '';
}
