import { clockTime, isUndecided, timeAt } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';
import type { Placed } from './placing.ts';

const clockOf = (minutes: number): string => clockTime(timeAt(minutes));

/** The entry's times on one day, unless they are not known yet; of several days, the start on the first and the end on the last. */
export function timesOn({ entry, first, last, start, end }: Placed, day: string): string {
  if (isUndecided(entry)) return t('calendar.noDate');
  if (entry.all_day || (day !== first && day !== last)) return t('calendar.allDay');
  if (first === last) return end > start ? `${clockOf(start)}–${clockOf(end)}` : clockOf(start);
  return day === first
    ? t('calendar.fromTime', { time: clockOf(start) })
    : t('calendar.untilTime', { time: clockOf(end) });
}

/** The same in short: the start, or the end on the last of several days. Null if the entry takes the whole day or has no date. */
export function timeOn(placed: Placed, day: string): string | null {
  if (placed.entry.all_day || isUndecided(placed.entry)) return null;
  if (day === placed.first) return clockOf(placed.start);
  return day === placed.last ? timesOn(placed, day) : null;
}
