import { day, text } from '../app/search.ts';

/** The public calendar's URL: a date or a shared event. */
export type VisitorsSearch = { date?: string | undefined; event?: string | undefined };

export const readVisitorsSearch = ({ date, event }: Record<string, unknown>): VisitorsSearch => ({
  date: day(date),
  event: text(event),
});
