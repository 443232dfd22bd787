import { useSyncExternalStore } from 'react';
import { wordsOf } from '../api/problem.ts';
import { eventChanged } from '../api/queries.ts';
import type { Entry, Foresight } from '../api/types.ts';
import { announce, notify } from '../parts/notices.tsx';
import { addDays, daysBetween, plainDay } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';
import { foresee, perform } from './perform.ts';

/** Dates and times of an event in its own zone. */
export type Times = Pick<Entry, 'start_date' | 'end_date' | 'start_time' | 'end_time'>;
type Movable = Times & Pick<Entry, 'id' | 'title'>;

/** A move that is shown already and may still be taken back; `ask` while it waits for a yes. */
export type Pending = { event: Movable; to: Times; ask: Foresight | null; answer: (answer: Answer) => void };
/** Move and tell, move without a word, or leave it. */
type Answer = 'tell' | 'quietly' | 'leave';

let pending: Pending | null = null;
const listeners = new Set<() => void>();
const set = (next: Pending | null) => {
  pending = next;
  for (const listener of listeners) listener();
};

export const usePendingMove = (): Pending | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => pending,
  );

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const timeOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** The same length on another day and, where a time is given, at another hour. */
export function shifted(event: Times, date: string, time: string | null): Times {
  const days = daysBetween(event.start_date, date);
  const { start_time, end_time } = event;
  if (time === null || start_time === null || end_time === null)
    return { ...event, start_date: date, end_date: addDays(event.end_date, days) };
  const length = daysBetween(event.start_date, event.end_date) * 1440 + minutesOf(end_time) - minutesOf(start_time);
  const end = minutesOf(time) + length;
  const end_date = addDays(date, Math.floor(end / 1440));
  return { start_date: date, start_time: time, end_date, end_time: timeOf(((end % 1440) + 1440) % 1440) };
}

const bodyOf = ({ start_date, end_date, start_time, end_time }: Times) => ({
  start_date,
  end_date,
  ...(start_time === null ? {} : { start_time }),
  ...(end_time === null ? {} : { end_time }),
});

/**
 * Shows the move at once, asks who would be told, and does it: without a question where nobody would. It can be taken
 * back, and it is where the answer is no.
 */
export async function moveTo(event: Movable, to: Times): Promise<void> {
  if (JSON.stringify(bodyOf(event)) === JSON.stringify(bodyOf(to))) return;
  set({ event, to, ask: null, answer: () => {} });
  try {
    const foreseen = await foresee(event.id, 'edit', bodyOf(to));
    const wanted =
      foreseen.people === 0 ? 'tell' : await new Promise<Answer>((answer) => set({ event, to, ask: foreseen, answer }));
    if (wanted !== 'leave') {
      await perform(event.id, 'edit', bodyOf(to), wanted === 'quietly' ? { notify: false } : {});
      const before = bodyOf(event);
      const text = t('move.done', { title: event.title, day: plainDay(to.start_date) });
      const undo = { label: t('move.undo'), run: () => void moveTo({ ...event, ...to }, { ...event, ...before }) };
      notify(text, { undo });
    } else announce(t('move.left'));
    // What was shown at once is replaced by what the server has.
    await eventChanged(event.id);
  } catch (error) {
    notify(wordsOf(error), { bad: true });
  }
  set(null);
}
