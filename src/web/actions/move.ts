import { createAtom } from '@tanstack/react-store';
import { invalidateEvent } from '../api/queries.ts';
import type { DryRun, Entry } from '../api/types.ts';
import { announce, showFailure, showNotice } from '../parts/notices.tsx';
import { same } from '../parts/same.ts';
import { addDays, daysBetween, inZone, later, lengthOf, plainDay } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';
import { dryRun, perform } from './perform.ts';

/** Dates and times of an event in its own zone. */
export type Times = Pick<Entry, 'start_date' | 'end_date' | 'start_time' | 'end_time'>;
type Movable = Times & Pick<Entry, 'id' | 'title' | 'timezone'>;

/** A move shown before the server has it. `ask` is the dry run while the user has yet to confirm. */
export type Pending = { event: Movable; to: Times; ask: DryRun | null; answer: (answer: Answer) => void };
/** Move and notify people, move without notifying them, or don't move. */
type Answer = 'notify' | 'silent' | 'cancel';

export const pendingMove = createAtom<Pending | null>(null);
const { set } = pendingMove;

/** Whether it would be over, by today's date in its zone. */
export const isPast = ({ end_date }: Times, zone: string): boolean => end_date < inZone(Date.now(), zone).day;

/** A secretary organizes much that takes place at the same time, so the same organizer alone is no reason to ask. */
const isTaken = ({ clashes }: DryRun): boolean =>
  clashes.clashes.some(({ shared }) => shared.some((one) => one !== 'organizer'));

/** Keeps the duration, on another day and, if given, at another time. */
export function shifted(event: Times, date: string, time: string | null): Times {
  const days = daysBetween(event.start_date, date);
  const length = lengthOf(event);
  if (time === null || Number.isNaN(length))
    return { ...event, start_date: date, end_date: addDays(event.end_date, days) };
  const end = later(time, length);
  return { start_date: date, start_time: time, end_date: addDays(date, end.days), end_time: end.time };
}

const bodyOf = ({ start_date, end_date, start_time, end_time }: Times) => ({
  start_date,
  end_date,
  ...(start_time === null ? {} : { start_time }),
  ...(end_time === null ? {} : { end_time }),
});

let last = Promise.resolve();

/** Moves an event, after those that were moved before it: each may ask a question. */
export function moveTo(event: Movable, to: Times): Promise<void> {
  last = last.then(() => move(event, to));
  return last;
}

/**
 * Moves an event. Shows the new time immediately, then asks for confirmation if people would be notified, or if the event
 * moves into the past or clashes with another. Offers to undo the move; restores the old time if the user cancels or the server refuses.
 */
async function move(event: Movable, to: Times): Promise<void> {
  if (same(bodyOf(event), bodyOf(to))) return;
  set({ event, to, ask: null, answer: () => {} });
  try {
    const preview = await dryRun(event.id, 'edit', bodyOf(to));
    const wanted =
      preview.people === 0 && !isPast(to, event.timezone) && !isTaken(preview)
        ? 'notify'
        : await new Promise<Answer>((answer) => set({ event, to, ask: preview, answer }));
    if (wanted !== 'cancel') {
      await perform(event.id, 'edit', bodyOf(to), wanted === 'silent' ? { notify: false } : {});
      const before = bodyOf(event);
      const text = t('move.done', { title: event.title, day: plainDay(to.start_date) });
      showNotice(text, { undo: () => void moveTo({ ...event, ...to }, { ...event, ...before }) });
    } else announce(t('move.left'));
    // Replace the optimistic entry by the server's.
    await invalidateEvent(event.id);
  } catch (error) {
    showFailure(error);
  }
  set(null);
}
