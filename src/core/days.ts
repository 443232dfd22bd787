import { DateTime } from 'luxon';
import { addDays, instantOf, wallTimeOf } from './zoned-time.ts';

/** A range of dates, both included, and the instants at which it begins and ends in one zone. */
export type Days = { first: string; last: string; from: Date; until: Date };

export const daysOf = (first: string, last: string, zone: string): Days => ({
  first,
  last,
  from: instantOf({ date: first, time: '00:00', zone }),
  until: instantOf({ date: addDays(last, 1), time: '00:00', zone }),
});

/** The date of an instant in a zone. */
export const dayOf = (instant: Date, zone: string): string => wallTimeOf(instant, zone).date;

const at = (date: string): DateTime => DateTime.fromISO(date, { zone: 'utc' });

/** The week of a date, Monday to Sunday. */
export function weekOf(date: string): { first: string; last: string } {
  const first = addDays(date, 1 - at(date).weekday);
  return { first, last: addDays(first, 6) };
}

/** The whole weeks of a month's grid. */
export function monthGridOf(date: string): { first: string; last: string } {
  const month = at(date).startOf('month');
  const end = month.endOf('month').toFormat('yyyy-MM-dd');
  return { first: weekOf(month.toFormat('yyyy-MM-dd')).first, last: weekOf(end).last };
}
