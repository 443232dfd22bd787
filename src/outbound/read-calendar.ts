import ICAL from 'ical.js';
import { Agent, fetch } from 'undici';
import type { Clock } from '../core/clock.ts';
import { cut } from '../core/plain-text.ts';
import { isOutOfTime, withTimeLimit } from '../core/time-limit.ts';
import { addDays, daysOf, instantOf, isZone, wallTimeOf } from '../core/zoned-time.ts';
import type { CalendarProblem, CalendarReading, OutsideEntry, ReadCalendar } from '../events/outside-calendar.ts';
import { type LookupAll, PRIVATE_ADDRESS, publicConnector, readBody } from './public-connector.ts';

const TIMEOUT_MS = 20_000;
const BYTES_MAX = 3_000_000;
const DAY_MS = 86_400_000;
/** Entries from yesterday until this many days ahead are kept. */
const DAYS_AHEAD = 400;
/** Most calendars take milliseconds; 5,000 entries with time zones a second, or four on a busy machine. */
const PARSE_MS = 5_000;

type Options = {
  clock: Clock;
  /** how names are resolved; for tests */
  lookup?: LookupAll;
  /** a connector without the check of addresses; for tests */
  agent?: Agent;
  /** how long parsing may take; for tests */
  parseMs?: number;
};

/** Reads calendars at public https addresses, redirects included, at most 3 MB in 20 seconds. */
export function calendarReader({ clock, lookup, agent, parseMs = PARSE_MS }: Options): ReadCalendar {
  const dispatcher = agent ?? new Agent({ connect: publicConnector(TIMEOUT_MS, lookup) });
  return async ({ url, timezone }) => {
    const now = clock.now();
    let text: string;
    try {
      const response = await fetch(url, {
        dispatcher,
        headers: { accept: 'text/calendar' },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!response.ok) {
        await response.body?.cancel();
        return { problem: 'refused' };
      }
      const body = await readBody(response, BYTES_MAX);
      if (!body) return { problem: 'too_large' };
      text = new TextDecoder().decode(body);
    } catch (error) {
      return { problem: problemOf(error) };
    }
    try {
      const [from, until] = [shifted(now, -DAY_MS), shifted(now, DAYS_AHEAD * DAY_MS)];
      // ical.js looks for ever for the next date of a rule such as 30 February.
      return withTimeLimit(parseMs, () => parseCalendar(text, timezone, from, until));
    } catch (error) {
      const isTooLarge = error instanceof TooManyEntries || isOutOfTime(error);
      return { problem: isTooLarge ? 'too_large' : 'not_a_calendar' };
    }
  };
}

const problemOf = (error: unknown): CalendarProblem =>
  (error as { cause?: { code?: string } }).cause?.code === PRIVATE_ADDRESS ? 'private_address' : 'unreachable';

const ENTRIES_MAX = 5_000;
const TITLE_MAX = 200;

class TooManyEntries extends Error {}

const shifted = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

/**
 * The entries of a calendar file that take place in a time, with each occurrence of a series as an entry of its own.
 * Cancelled ones, and those that leave their time free (TRANSP), are left out. So are faulty ones, which is a problem.
 * @param zone of entries that name none
 * @throws TooManyEntries, or another Error if the text is not a calendar
 */
export function parseCalendar(text: string, zone: string, from: Date, until: Date): CalendarReading {
  const { calendar, isWhole } = parseLeniently(text);
  if (calendar.name !== 'vcalendar') throw new Error(`a ${calendar.name} is not a calendar`);
  const all = calendar.getAllSubcomponents('vevent');
  const components = all.filter((one) => one.hasProperty('dtstart'));
  let problem: CalendarProblem | null = isWhole && components.length === all.length ? null : 'entries_left_out';
  const isException = (one: ICAL.Component) => one.hasProperty('recurrence-id');
  const uidOf = (one: ICAL.Component) => one.getFirstPropertyValue('uid');
  const allExceptions = components.filter(isException);
  const series = components.filter((one) => !isException(one));
  // A calendar with only one date of a series has no series.
  const alone = allExceptions.filter((one) => !series.some((other) => uidOf(other) === uidOf(one)));
  const entries: OutsideEntry[] = [];
  for (const component of [...series, ...alone]) {
    const exceptions = isException(component) ? [] : allExceptions.filter((one) => uidOf(one) === uidOf(component));
    try {
      for (const entry of entriesOf(new ICAL.Event(component, { exceptions }), zone, from, until)) {
        if (entries.push(entry) > ENTRIES_MAX) throw new TooManyEntries();
      }
    } catch (error) {
      if (error instanceof TooManyEntries) throw error;
      problem = 'entries_left_out';
    }
  }
  return { entries, problem };
}

const ENTRY = /^BEGIN:VEVENT\r?\n[\s\S]*?^END:VEVENT\r?\n/gim;

/** Parses a calendar file, without the entries that can't be parsed if there are any. */
function parseLeniently(text: string): { calendar: ICAL.Component; isWhole: boolean } {
  const parsed = (some: string) => new ICAL.Component(ICAL.parse(some) as unknown[]);
  try {
    return { calendar: parsed(text), isWhole: true };
  } catch {
    return { calendar: parsed(text.replace(ENTRY, (entry) => (isParsable(entry) ? entry : ''))), isWhole: false };
  }
}

function isParsable(entry: string): boolean {
  try {
    ICAL.parse(entry);
    return true;
  } catch {
    return false;
  }
}

/** Looks a day further on both sides, since ical.js reads times without a zone by the clock of this machine. */
function* entriesOf(event: ICAL.Event, zone: string, from: Date, until: Date): Generator<OutsideEntry> {
  for (const { item, startDate, endDate } of occurrencesOf(event, shifted(until, DAY_MS))) {
    if (endDate.toJSDate() <= shifted(from, -DAY_MS)) continue;
    const entry = entryOf(item, startDate, endDate, zone);
    if (holdsTime(item) && entry.starts_at < until && entry.ends_at > from) yield entry;
  }
}

type Occurrence = { item: ICAL.Event; startDate: ICAL.Time; endDate: ICAL.Time };

/** @param until ends the dates that a rule gives; one that was moved behind it must not end the series */
function* occurrencesOf(event: ICAL.Event, until: Date): Generator<Occurrence> {
  if (!event.isRecurring()) return yield { item: event, startDate: event.startDate, endDate: event.endDate };
  const iterator = event.iterator();
  for (let next = iterator.next(); next && next.toJSDate() < until; next = iterator.next())
    yield event.getOccurrenceDetails(next);
}

function holdsTime({ component }: ICAL.Event): boolean {
  const is = (name: string, value: string) => String(component.getFirstPropertyValue(name)).toUpperCase() === value;
  return !is('status', 'CANCELLED') && !is('transp', 'TRANSPARENT');
}

function entryOf(item: ICAL.Event, start: ICAL.Time, end: ICAL.Time, zone: string): OutsideEntry {
  const title = cut(item.summary ?? '', TITLE_MAX);
  if (start.isDate) {
    const start_date = dateOf(start);
    // DTEND of whole days is the day after the last one.
    const end_date = end.isDate && dateOf(end) > start_date ? addDays(dateOf(end), -1) : start_date;
    const { from: starts_at, until: ends_at } = daysOf(start_date, end_date, zone);
    return { title, all_day: true, start_date, end_date, start_time: null, end_time: null, starts_at, ends_at };
  }
  const [starts_at, ends_at] = [start, end].map((time) => instantIn(time, zoneNamedBy(item) ?? zone)) as [Date, Date];
  const { date: start_date, time: start_time } = wallTimeOf(starts_at, zone);
  const { date: end_date, time: end_time } = wallTimeOf(ends_at, zone);
  return { title, all_day: false, start_date, end_date, start_time, end_time, starts_at, ends_at };
}

const two = (value: number): string => String(value).padStart(2, '0');
const dateOf = ({ year, month, day }: ICAL.Time): string =>
  `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;

/** A zone that the file defines gives the instant; a zone that it only names counts if it is an IANA zone. */
function instantIn(time: ICAL.Time, zone: string): Date {
  if (time.zone !== ICAL.Timezone.localTimezone) return time.toJSDate();
  return instantOf({ date: dateOf(time), time: `${two(time.hour)}:${two(time.minute)}`, zone });
}

function zoneNamedBy({ component }: ICAL.Event): string | null {
  const name = component.getFirstProperty('dtstart')?.getFirstParameter('tzid');
  return name && isZone(name) ? name : null;
}
