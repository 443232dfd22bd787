import { addDays, timeAt } from '../../texts/dates.ts';

/** A day of the calendar and, on a time grid, the minute of that day. */
export type Spot = { day: string; minute: number | null };

/** The days or times chosen for a new event, as the editor's URL holds them. Without `start`, the type of the event suggests the times. */
export type Span = {
  date?: string;
  /** the last day, if it is another one */
  until?: string;
  start?: string;
  end?: string;
};

/** minutes that a dragged time is rounded to */
export const STEP = 15;
/** minutes that the start of a clicked span is rounded to */
const CLICK_STEP = 30;

/** The span of a click: the day, or the half hour in which it lies. */
export const spanAt = ({ day, minute }: Spot): Span =>
  minute === null ? { date: day } : { date: day, start: timeAt(Math.floor(minute / CLICK_STEP) * CLICK_STEP) };

/** The span of a drag: whole days, or a span of the day in which it began. */
export function spanBetween(from: Spot, to: Spot): Span {
  if (from.minute === null) {
    const [date, until] = [from.day, to.day].sort();
    return date === until ? { date } : { date, until };
  }
  const other = to.minute ?? from.minute;
  const start = Math.floor(Math.min(from.minute, other) / STEP) * STEP;
  const end = Math.max(start + STEP, Math.ceil(Math.max(from.minute, other) / STEP) * STEP);
  const until = end === 1440 ? addDays(from.day, 1) : undefined;
  return { date: from.day, until, start: timeAt(start), end: timeAt(end) };
}

/** Whether a span of whole days contains a day. */
export const containsDay = ({ date = '', until = date, start }: Span, day: string): boolean =>
  start === undefined && date <= day && day <= until;
