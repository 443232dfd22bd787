import { addDays, timeAt } from '../../texts/dates.ts';

/** A day of the calendar and, on a time grid, the minute of that day. */
export type Spot = { day: string; minute: number | null };

/** Where a new event goes, as the editor's URL holds it. Without `start`, the type of the event suggests the times. */
export type Slot = {
  date?: string;
  /** the last day, if it is another one */
  until?: string;
  start?: string;
  end?: string;
};

/** minutes that a dragged time is rounded to */
export const STEP = 15;
/** minutes that the start of a clicked slot is rounded to */
const CLICK_STEP = 30;

/** The slot of a click: the day, or the half hour in which it lies. */
export const slotAt = ({ day, minute }: Spot): Slot =>
  minute === null ? { date: day } : { date: day, start: timeAt(Math.floor(minute / CLICK_STEP) * CLICK_STEP) };

/** The slot of a drag: whole days, or a span of the day in which it began. */
export function slotBetween(from: Spot, to: Spot): Slot {
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

/** Whether a slot of whole days contains a day. */
export const containsDay = ({ date = '', until = date, start }: Slot, day: string): boolean =>
  start === undefined && date <= day && day <= until;
