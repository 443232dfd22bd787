import { isDay } from '../texts/dates.ts';

/** The public calendar's URL: a date or a shared event. */
export type VisitorsSearch = { date?: string | undefined; event?: string | undefined };

export const readVisitorsSearch = ({ date, event }: Record<string, unknown>): VisitorsSearch => ({
  ...(isDay(date) ? { date } : {}),
  ...(typeof event === 'string' && event !== '' ? { event } : {}),
});
