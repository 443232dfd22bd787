import { isDay } from '../texts/dates.ts';

/** The address of the public calendar: which day it is about, or which event. */
export type VisitorsSearch = { date?: string | undefined; event?: string | undefined };

export const readVisitorsSearch = ({ date, event }: Record<string, unknown>): VisitorsSearch => ({
  ...(isDay(date) ? { date } : {}),
  ...(typeof event === 'string' && event !== '' ? { event } : {}),
});
