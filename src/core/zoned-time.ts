import { DateTime, IANAZone } from 'luxon';

/** Which edition of the IANA time zone database instants are derived with, e.g. `2026a`; a later one sorts after it. */
export const ZONE_RULES: string = process.versions.tz ?? '';

export type WallTime = {
  /** YYYY-MM-DD */ date: string;
  /** HH:MM */ time: string;
  /** IANA name */ zone: string;
};

/** Newer engines take `+02:00` for a zone as well, which knows of no summer. */
const IS_OFFSET = /^[+-]/;

export function isZone(name: string): boolean {
  if (zones.has(name)) return true;
  const isOne = name !== '' && !IS_OFFSET.test(name) && IANAZone.isValidZone(name);
  if (isOne && zones.size < ZONES_KEPT) zones.add(name);
  return isOne;
}

/** To ask whether a name is a zone's takes as long as to store an event. There are some 600, and many ways to spell each. */
const zones = new Set<string>();
const ZONES_KEPT = 1_000;

/** Whether YYYY-MM-DD names a day that exists. */
export const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && DateTime.fromISO(text).isValid;

/** The first and the last date that may be entered: a calendar beyond them is a mistake, and costs time to compute. */
export const FIRST_DATE = '1970-01-01';
export const LAST_DATE = '2100-12-31';

/** Whether YYYY-MM-DD names a day that exists and lies between `FIRST_DATE` and `LAST_DATE`. */
export const isDateInRange = (text: string): boolean => isDate(text) && text >= FIRST_DATE && text <= LAST_DATE;

/** Whether HH:MM is a time of day, 00:00 to 23:59. */
export const isTime = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);

/**
 * The instant of a wall clock in a zone (decisions.md, "zone"). In a gap the clock is moved forward by the gap; in an
 * overlap the first of the two instants counts.
 */
export function instantOf({ date, time, zone }: WallTime): Date {
  const wall = DateTime.fromISO(`${date}T${time}`, { zone });
  if (!wall.isValid) throw new RangeError(`no such wall time: ${date} ${time} ${zone}`);
  const [first] = wall.getPossibleOffsets().sort((a, b) => a.toMillis() - b.toMillis());
  return (first ?? wall).toJSDate();
}

export const addDays = (date: string, days: number): string =>
  DateTime.fromISO(date, { zone: 'utc' }).plus({ days }).toISODate() ?? date;

/** Whole days from one date to another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round(DateTime.fromISO(to, { zone: 'utc' }).diff(DateTime.fromISO(from, { zone: 'utc' }), 'days').days);

/** The last answer for each zone: thousands of people are told of one thing at one moment. */
const lately = new Map<string, { instant: number; wall: WallTime }>();

/** The wall clock of an instant in a zone. */
export function wallTimeOf(instant: Date, zone: string): WallTime {
  const known = lately.get(zone);
  if (known?.instant === instant.getTime()) return { ...known.wall };
  const at = DateTime.fromJSDate(instant, { zone });
  const wall = { date: at.toFormat('yyyy-MM-dd'), time: at.toFormat('HH:mm'), zone };
  lately.set(zone, { instant: instant.getTime(), wall });
  return { ...wall };
}
