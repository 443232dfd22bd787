import { type Days, daysOf, monthGridOf, weekOf } from '../core/days.ts';
import { addDays } from '../core/zoned-time.ts';

export const CALENDAR_VIEWS = ['month', 'week', 'day', 'agenda'] as const;
export type CalendarView = (typeof CALENDAR_VIEWS)[number];

/** decisions.md, "limits" */
export const CALENDAR_DAYS_MAX = 400;
export const AGENDA_DAYS = 30;

/**
 * The days of a view around a date (§2.12): the month's grid of whole weeks, the week, the day, or for the agenda
 * `agendaDays` from the date on.
 */
export function daysShown(view: CalendarView, date: string, zone: string, agendaDays: number = AGENDA_DAYS): Days {
  switch (view) {
    case 'month': {
      const { first, last } = monthGridOf(date);
      return daysOf(first, last, zone);
    }
    case 'week': {
      const { first, last } = weekOf(date);
      return daysOf(first, last, zone);
    }
    case 'day':
      return daysOf(date, date, zone);
    case 'agenda':
      return daysOf(date, addDays(date, Math.min(agendaDays, CALENDAR_DAYS_MAX) - 1), zone);
  }
}
