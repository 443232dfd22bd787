import { isDay } from '../texts/dates.ts';

/** The address of the public calendar: which day it is about. */
export type VisitorsSearch = { date?: string | undefined };

export const readVisitorsSearch = ({ date }: Record<string, unknown>): VisitorsSearch => (isDay(date) ? { date } : {});
