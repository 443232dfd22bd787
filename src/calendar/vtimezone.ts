import { DateTime } from 'luxon';

type Change = { at: number; from: number; to: number };

const DAY_MS = 86_400_000;

/**
 * The definition of a zone (RFC 5545 §3.6.5) for the years that are needed: the offset at the beginning, then every
 * change of the clock by its date. No rules: what a government decides next year would make them wrong.
 */
export function vtimezone(zone: string, fromYear: number, toYear: number): readonly string[] {
  const years = `${zone} ${fromYear} ${toYear}`;
  const known = kept.get(years);
  if (known) return known;
  const made = definitionOf(zone, fromYear, toYear);
  if (kept.size >= KEPT) kept.clear();
  kept.set(years, made);
  return made;
}

/** A year takes milliseconds, and every calendar that is asked for needs the same few zones. */
const kept = new Map<string, readonly string[]>();
const KEPT = 200;

function definitionOf(zone: string, fromYear: number, toYear: number): string[] {
  const start = Date.UTC(fromYear, 0, 1) - DAY_MS;
  const end = Date.UTC(toYear + 1, 0, 1) + DAY_MS;
  const first = offsetAt(start, zone);
  const changes = changesOf(zone, start, end);
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${zone}`,
    ...observance({ at: start, from: first, to: first }, zone),
    ...changes.flatMap((change) => observance(change, zone)),
    'END:VTIMEZONE',
  ];
}

const offsetAt = (instant: number, zone: string): number => DateTime.fromMillis(instant, { zone }).offset;

/** Day by day, and within a day that changes by halves: a zone changes its clock at any minute it likes. */
function changesOf(zone: string, start: number, end: number): Change[] {
  const changes: Change[] = [];
  for (let day = start; day < end; day += DAY_MS) {
    const from = offsetAt(day, zone);
    const to = offsetAt(day + DAY_MS, zone);
    if (from === to) continue;
    let [before, after] = [day, day + DAY_MS];
    while (after - before > 60_000) {
      const middle = Math.floor((before + after) / 2 / 60_000) * 60_000;
      if (offsetAt(middle, zone) === from) before = middle;
      else after = middle;
    }
    changes.push({ at: after, from, to });
  }
  return changes;
}

/** DTSTART is the wall clock before the change. */
function observance({ at, from, to }: Change, zone: string): string[] {
  const after = DateTime.fromMillis(at, { zone });
  const kind = after.isInDST ? 'DAYLIGHT' : 'STANDARD';
  return [
    `BEGIN:${kind}`,
    `DTSTART:${new Date(at + from * 60_000).toISOString().slice(0, 19).replace(/[-:]/g, '')}`,
    `TZOFFSETFROM:${offset(from)}`,
    `TZOFFSETTO:${offset(to)}`,
    `TZNAME:${after.offsetNameShort ?? offset(to)}`,
    `END:${kind}`,
  ];
}

function offset(minutes: number): string {
  const size = Math.abs(minutes);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}${pad(size % 60)}`;
}
