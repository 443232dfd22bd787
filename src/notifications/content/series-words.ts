import type { RecurrencePattern } from '../../events/event.ts';
import type { Locale } from '../../people/contact.ts';
import { dayInWords, inShort, type Span, shortDay, timesInWords } from './when.ts';

type Words = {
  every: Record<RecurrencePattern, string>;
  /** at least two dates */
  dates(count: number): string;
  from: string;
  to: string;
  yours: string;
  previously: string;
  registerBy: string;
  /** after the earliest of several deadlines */
  earliest: string;
};

const WORDS: Record<Locale, Words> = {
  en: {
    every: { none: '', daily: 'Every day', weekly: 'Every week', monthly: 'Every month', yearly: 'Every year' },
    dates: (count) => `${count} dates`,
    from: 'from',
    to: 'to',
    yours: 'your time',
    previously: 'previously',
    registerBy: 'register by',
    earliest: 'each date has its own',
  },
  cs: {
    every: { none: '', daily: 'Každý den', weekly: 'Každý týden', monthly: 'Každý měsíc', yearly: 'Každý rok' },
    dates: (count) => `${count} ${count < 5 ? 'termíny' : 'termínů'}`,
    from: 'od',
    to: 'do',
    yours: 've Vašem čase',
    previously: 'původně',
    registerBy: 'přihlášky nejpozději:',
    earliest: 'každý termín má svou lhůtu',
  },
};

/** More dates than this are counted in short texts instead of listed. */
const LISTED = 6;

/**
 * The dates of a series in one line: `Every week, 6 dates from 12 October to 16 November 2026, 16:00–17:00`.
 * @param spans at least two, in order
 * @param pattern how the series repeats; `none`: not stated
 */
export function seriesInWords(spans: readonly Span[], pattern: RecurrencePattern, locale: Locale): string {
  const { every, dates, from, to } = WORDS[locale];
  const [first, last] = endsOf(spans);
  const range = `${dates(spans.length)} ${from} ${dayInWords(first, locale, last)} ${to} ${dayInWords(last, locale)}`;
  return [every[pattern], range, commonTimes(spans)].filter((part) => part !== '').join(', ');
}

/** Short form: `every week from Mon 12 Oct, 6 dates`, or without a pattern `Mon 2 Nov, Mon 9 Nov, 16:00`. */
export function seriesInShort(
  spans: readonly Span[],
  pattern: RecurrencePattern,
  locale: Locale,
  thisYear: number,
): string {
  const { every, dates, from, to } = WORDS[locale];
  const [first, last] = endsOf(spans);
  const day = ({ start }: Span) => shortDay(start, locale, thisYear);
  const count = dates(spans.length);
  if (pattern !== 'none') return `${every[pattern].toLowerCase()} ${from} ${day(first)}, ${count}`;
  if (spans.length > LISTED) return `${count} ${from} ${day(first)} ${to} ${day(last)}`;
  const time = commonTimes(spans).split('–')[0] ?? '';
  if (time === '') return spans.map((span) => inShort(span, locale, thisYear)).join('; ');
  return [...spans.map(day), time].join(', ');
}

/** One date of a series, and what differs from the others. */
type Line = {
  when: string;
  when_yours: string;
  previous_when: string;
  title: string;
  place: string;
  previous_place: string;
  register_by: string;
};

/** A line for each date: `Monday 2 November 2026, 17:00–18:00, Gym (previously Monday 2 November 2026, 16:00–17:00)`. */
export function seriesLines(lines: readonly Line[], locale: Locale): string {
  const { yours, previously, registerBy } = WORDS[locale];
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
  return first === '' || new Set(deadlines).size === 1 ? first : `${first} (${WORDS[locale].earliest})`;
}

const endsOf = (spans: readonly Span[]): [Span, Span] => [spans[0] as Span, spans.at(-1) as Span];

/** The time of day of all dates, or '' if it differs or they last whole days. */
function commonTimes(spans: readonly Span[]): string {
  const times = new Set(spans.map(timesInWords));
  return times.size === 1 ? ([...times][0] ?? '') : '';
}
