import type { Times } from '../actions/move.ts';
import type { Entry } from '../api/types.ts';
import { addDays, daysBetween, inZone, minutesOf } from '../texts/dates.ts';

/** An entry on days of the school's zone; `start` and `end` are minutes after midnight of `first`. */
export type Placed = {
  entry: Entry;
  first: string;
  last: string;
  start: number;
  end: number;
};

const DAY = 24 * 60;

/**
 * Places an entry by wall clock, so that every day has 24 hours even when clocks change.
 * @param moved the times to which it is being moved, while the server has not returned its instants
 */
export function placeEntry(stored: Entry, zone: string, moved?: Times): Placed {
  const entry = { ...stored, ...moved };
  const { start_date, end_date, start_time, end_time } = entry;
  if (entry.all_day) return { entry, first: start_date, last: end_date, start: 0, end: DAY };
  const from = moved && start_time ? { day: start_date, time: start_time } : inZone(entry.starts_at, zone);
  const to = moved && end_time ? { day: end_date, time: end_time } : inZone(entry.ends_at, zone);
  const start = minutesOf(from.time);
  const whole = daysBetween(from.day, to.day) * DAY + minutesOf(to.time);
  // An end at midnight belongs to the day before.
  const last = to.time === '00:00' && to.day > from.day ? addDays(to.day, -1) : to.day;
  return { entry, first: from.day, last, start, end: Math.max(whole, start) };
}

/** Sort order: by first day, then all-day and longer entries first, then by time. */
export const inOrder = (a: Placed, b: Placed): number =>
  a.first.localeCompare(b.first) ||
  Number(b.entry.all_day) - Number(a.entry.all_day) ||
  daysBetween(b.first, b.last) - daysBetween(a.first, a.last) ||
  a.start - b.start ||
  a.entry.title.localeCompare(b.entry.title);

/** The Mondays from the first one to a day. */
export const mondaysOf = (first: string, last: string): string[] =>
  Array.from({ length: Math.floor(daysBetween(first, last) / 7) + 1 }, (_, week) => addDays(first, week * 7));

export const isOn = ({ first, last }: Placed, day: string): boolean => first <= day && last >= day;

/** The entries of a day in the order of a list: those of the whole day, then by the time at which they begin on it. */
export function entriesOn(all: readonly Placed[], day: string): Placed[] {
  const beginOf = ({ entry, first, start }: Placed): number => (entry.all_day ? -1 : first < day ? 0 : start);
  return all.filter((one) => isOn(one, day)).sort((a, b) => beginOf(a) - beginOf(b));
}

/** The part of an entry within one week: its first day there, its length in days, and its row. */
export type Piece = { placed: Placed; day: string; length: number; row: number };

/** The parts of entries in the week from `monday`, each in the first free row; featured ones first, since a day shows few. */
export function piecesInWeek(all: readonly Placed[], monday: string, days = 7): Piece[] {
  const sunday = addDays(monday, days - 1);
  const taken: boolean[][] = [];
  return all
    .filter((one) => one.first <= sunday && one.last >= monday)
    .sort(
      (a, b) => Number(b.entry.featured) - Number(a.entry.featured) || inOrder(clipped(a, monday), clipped(b, monday)),
    )
    .map((placed) => {
      const day = placed.first < monday ? monday : placed.first;
      const until = placed.last.localeCompare(sunday) < 0 ? placed.last : sunday;
      const [at, length] = [daysBetween(monday, day), daysBetween(day, until) + 1];
      let row = 0;
      while (taken[row]?.slice(at, at + length).some(Boolean)) row += 1;
      taken[row] ??= [];
      for (let i = at; i < at + length; i += 1) (taken[row] as boolean[])[i] = true;
      return { placed, day, length, row };
    });
}

/** The pieces that fit into `rows` lines. On days with too many the last line is left for “+n more”. */
export function piecesThatFit(pieces: readonly Piece[], rows: number): Piece[] {
  const hidden = pieces.filter(({ row }) => row >= rows);
  const overlaps = (a: Placed, b: Placed): boolean => a.first <= b.last && b.first <= a.last;
  return pieces.filter(
    ({ row, placed }) => row < rows - 1 || (row < rows && !hidden.some((other) => overlaps(other.placed, placed))),
  );
}

const clipped = (one: Placed, monday: string): Placed => (one.first < monday ? { ...one, first: monday } : one);

/** A block on the time grid of a day: its minutes of the day, and its column of `columns`. */
type Block = { placed: Placed; from: number; to: number; column: number; columns: number };

const LEAST = 30;

/** The timed entries of a day, overlapping ones side by side. */
export function blocksOf(all: readonly Placed[], day: string): Block[] {
  const blocks = entriesOn(all, day)
    .filter(({ entry }) => !entry.all_day)
    .map((placed) => {
      const begun = daysBetween(placed.first, day) * DAY;
      // One just before midnight is as high as any other.
      const from = Math.min(Math.max(placed.start - begun, 0), DAY - LEAST);
      return { placed, from, to: Math.min(Math.max(placed.end - begun, from + LEAST), DAY), column: 0, columns: 1 };
    })
    .sort((a, b) => a.from - b.from || b.to - a.to);
  for (let group: Block[] = [], until = -1, at = 0; at <= blocks.length; at += 1) {
    const block = blocks[at];
    if (!block || block.from >= until) {
      const columns = Math.max(0, ...group.map(({ column }) => column)) + 1;
      for (const one of group) one.columns = columns;
      group = [];
      until = -1;
    }
    if (!block) break;
    const busy = new Set(group.filter(({ to }) => to > block.from).map(({ column }) => column));
    while (busy.has(block.column)) block.column += 1;
    group.push(block);
    until = Math.max(until, block.to);
  }
  return blocks;
}

/** The blocks that fit into `most` columns, and the spans of the others, where “+n more” takes the last column. */
export function blocksThatFit(blocks: readonly Block[], most: number) {
  const excess = blocks.filter(({ column }) => column >= most);
  const fits = ({ column, from, to }: Block): boolean =>
    column < most - 1 || (column < most && !excess.some((other) => other.from < to && from < other.to));
  const more: { from: number; to: number; count: number }[] = [];
  for (const { from, to } of blocks.filter((one) => !fits(one))) {
    const last = more.at(-1);
    if (!last || from >= last.to) more.push({ from, to, count: 1 });
    else Object.assign(last, { to: Math.max(last.to, to), count: last.count + 1 });
  }
  return { shown: blocks.filter(fits), more };
}

/** Sorted entries by day; omits days without entries. */
export function byDay(all: readonly Placed[], from: string, to: string): { day: string; entries: Placed[] }[] {
  const days: { day: string; entries: Placed[] }[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const entries = entriesOn(all, day);
    if (entries.length > 0) days.push({ day, entries });
  }
  return days;
}
