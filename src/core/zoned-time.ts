import { DateTime, IANAZone } from 'luxon';

/** The version of the IANA time zone database in this process, e.g. `2026a`; later versions sort after it. */
export const ZONE_RULES: string = process.versions.tz ?? '';

type WallTime = {
  /** YYYY-MM-DD */ date: string;
  /** HH:MM */ time: string;
  /** IANA name */ zone: string;
};

/** Newer engines accept `+02:00` as a zone, which has no daylight saving time. */
const IS_OFFSET = /^[+-]/;

export function isZone(name: string): boolean {
  if (zones.has(name)) return true;
  const isValid = !IS_OFFSET.test(name) && IANAZone.isValidZone(name);
  if (isValid && zones.size < MAX_CACHED_ZONES) zones.add(name);
  return isValid;
}

/** Listed at the first use, because most processes never need it. */
let zoneNames: ReadonlyMap<string, string> | undefined;

/** A zone in the spelling of IANA, since zones are compared by their names: engines accept `europe/prague` too. */
export function zoneName(zone: string): string {
  zoneNames ??= new Map(['UTC', ...Intl.supportedValuesOf('timeZone')].map((name) => [name.toLowerCase(), name]));
  return zoneNames.get(zone.toLowerCase()) ?? zone;
}

/** Cache of valid names, because a check takes as long as storing an event; limited, because case may vary in each name. */
const zones = new Set<string>();
const MAX_CACHED_ZONES = 1_000;

/** Whether a text is an existing date, YYYY-MM-DD. */
export const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && DateTime.fromISO(text).isValid;

/** The first and last date that may be entered: dates beyond are mistakes, and long series cost time to compute. */
const FIRST_DATE = '1970-01-01';
export const LAST_DATE = '2100-12-31';

/** Whether a text is an existing date, YYYY-MM-DD, from `FIRST_DATE` to `LAST_DATE`. */
export const isDateInRange = (text: string): boolean => isDate(text) && text >= FIRST_DATE && text <= LAST_DATE;

/** Whether a text is a time of day, HH:MM, 00:00 to 23:59. */
export const isTime = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);

/**
 * The instant of a wall-clock time in a zone (docs/decisions.md, "Zone"). A time skipped by a clock change moves forward by
 * the gap; of a time that occurs twice, the first counts.
 * @throws RangeError if the date or time does not exist
 */
export function instantOf({ date, time, zone }: WallTime): Date {
  const wall = DateTime.fromISO(`${date}T${time}`, { zone });
  if (!wall.isValid) throw new RangeError(`no such wall time: ${date} ${time} ${zone}`);
  const [first = wall] = wall.getPossibleOffsets();
  return first.toJSDate();
}

const at = (date: string): DateTime => DateTime.fromISO(date, { zone: 'utc' });

export const addDays = (date: string, days: number): string => at(date).plus({ days }).toISODate() ?? date;

export const hoursAfter = (instant: Date, hours: number): Date => new Date(instant.getTime() + hours * 3_600_000);

/** Days from one date to another; negative if `to` is earlier. */
export const daysBetween = (from: string, to: string): number => Math.round(at(to).diff(at(from), 'days').days);

/** The last result per zone, because a fan-out asks for the same instant thousands of times. */
const latest = new Map<string, { instant: number; wall: WallTime }>();

/** The wall-clock time of an instant in a zone. */
export function wallTimeOf(instant: Date, zone: string): WallTime {
  const known = latest.get(zone);
  if (known?.instant === instant.getTime()) return { ...known.wall };
  const at = DateTime.fromJSDate(instant, { zone });
  const wall = { date: at.toFormat('yyyy-MM-dd'), time: at.toFormat('HH:mm'), zone };
  latest.set(zone, { instant: instant.getTime(), wall });
  return { ...wall };
}

/** The instant as calendar files write it: `20261016T160000Z`. */
export const utcStamp = (instant: Date): string => instant.toISOString().replace(/[-:]|\.\d{3}/g, '');

/** The UTC form of a time as calendar files write it; of a local one in this zone. Leaves dates as they are. */
export const inUtc = (stamp: string, zone: string): string =>
  /T\d{6}$/.test(stamp) ? utcStamp(instantOf({ date: stamp.slice(0, 8), time: stamp.slice(9, 13), zone })) : stamp;

/** The date as calendar files write it: `20261016`. */
export const dateStamp = (date: string): string => date.replaceAll('-', '');

/** A range of dates, both included, and the instants at which it begins and ends in one zone. */
export type Days = { first: string; last: string; from: Date; until: Date };

export const daysOf = (first: string, last: string, zone: string): Days => ({
  first,
  last,
  from: instantOf({ date: first, time: '00:00', zone }),
  until: instantOf({ date: addDays(last, 1), time: '00:00', zone }),
});

/** `2026-10-10 at 18:00 (Europe/Prague)`, for texts of the API. */
export function wallTimeInWords(instant: Date, zone: string): string {
  const { date, time } = wallTimeOf(instant, zone);
  return `${date} at ${time} (${zone})`;
}

/** The date of an instant in a zone. */
export const dayOf = (instant: Date, zone: string): string => wallTimeOf(instant, zone).date;

type Span = { first: string; last: string };

const wholeWeeks = (from: DateTime, to: DateTime): Span => ({
  first: from.startOf('week').toFormat('yyyy-MM-dd'),
  last: to.endOf('week').toFormat('yyyy-MM-dd'),
});

/** The week of a date, Monday to Sunday. */
export const weekOf = (date: string): Span => wholeWeeks(at(date), at(date));

/** The whole weeks of a month's grid. */
export const monthGridOf = (date: string): Span => wholeWeeks(at(date).startOf('month'), at(date).endOf('month'));
