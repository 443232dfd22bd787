import { type PointerEvent, useRef, useState } from 'react';
import { moveTo, shifted, type Times } from '../../actions/move.ts';
import type { Entry } from '../../api/types.ts';
import { addDays, clockTime, daysBetween, later, lengthOf, shortDay } from '../../texts/dates.ts';
import { closeCard, closeCardAfterDrop } from '../card-anchor.ts';
import type { Placed } from '../placing.ts';
import { containsDay, type Span, type Spot, STEP, spanAt, spanBetween } from './span.ts';

/** pixels before a press counts as a drag */
const FAR_ENOUGH = 5;

/** `placed`: the dragged entry; null where none was pressed */
type Drag = { placed: Placed | null; from: Spot; resizes: boolean; x: number; y: number; isMoving: boolean };

function spotAt(x: number, y: number): Spot | null {
  const isDay = (one: Element): one is HTMLElement => one instanceof HTMLElement && one.dataset.day !== undefined;
  const column = document.elementsFromPoint(x, y).find(isDay);
  if (!column) return null;
  const { day = '', timeGrid } = column.dataset;
  if (timeGrid === undefined) return { day, minute: null };
  const { top, height } = column.getBoundingClientRect();
  return { day, minute: Math.max(0, Math.min(1439, ((y - top) / height) * 1440)) };
}

/** An entry under the pointer, which is on this day, with the times it would have there. */
type Ghost = { entry: Entry; to: Times; day: string; x: number; y: number };

/** The times of an entry dragged by days and minutes; `resizes` drags only its end. */
function dragged(entry: Entry, days: number, minutes: number, resizes: boolean): Times {
  const { start_date, end_date, start_time, end_time } = entry;
  const times = { start_date, end_date, start_time, end_time };
  if (resizes) {
    if (end_time === null || start_time === null) return times;
    const end = later(start_time, Math.max(STEP, lengthOf(times) + days * 1440 + minutes));
    return { ...times, end_date: addDays(start_date, end.days), end_time: end.time };
  }
  if (start_time === null) return shifted(times, addDays(start_date, days), null);
  const start = later(start_time, minutes);
  return shifted(times, addDays(start_date, days + start.days), start.time);
}

type Options = {
  all: readonly Placed[];
  /** creates an event in a span; undefined for those who may not */
  onCreate: ((span: Span) => void) | undefined;
};

/**
 * Lets the mouse drag entries that the user may edit, and choose a span by a click or drag beside them. A finger does neither,
 * so that it can scroll. @returns handlers for the grid, whether a day is under the pointer, the ghost, and the span
 */
export function useDrag({ all, onCreate }: Options) {
  const drag = useRef<Drag | null>(null);
  const wasDragged = useRef(false);
  const [ghost, setGhost] = useState<Ghost | null>(null);
  const [span, setSpan] = useState<Span | null>(null);
  const end = () => {
    drag.current = null;
    setGhost(null);
    setSpan(null);
  };
  const timesAt = (entry: Entry, { from, resizes }: Drag, to: Spot): Times => {
    const minutes = to.minute === null || from.minute === null ? 0 : to.minute - from.minute;
    return dragged(entry, daysBetween(from.day, to.day), Math.round(minutes / STEP) * STEP, resizes);
  };
  const handlers = {
    onPointerDown: ({ pointerType, button, target, clientX: x, clientY: y }: PointerEvent<HTMLElement>) => {
      const from = pointerType === 'mouse' && button === 0 && target instanceof Element ? spotAt(x, y) : null;
      if (!from) return;
      const id = (target as Element).closest<HTMLElement>('[data-entry]')?.dataset.entry;
      const placed = all.find(({ entry }) => entry.id === id) ?? null;
      const resizes = (target as Element).closest('[data-resize]') !== null;
      // A press that closes an open panel does nothing else.
      const isEmpty =
        !id && !(target as Element).closest('a, button') && !document.querySelector('[popover=auto]:popover-open');
      if (placed ? !placed.entry.allowed_actions.includes('edit') : !isEmpty || !onCreate) return;
      drag.current = { placed, from, resizes, x, y, isMoving: false };
    },
    onPointerMove: ({ clientX, clientY, buttons, currentTarget, pointerId }: PointerEvent<HTMLElement>) => {
      const now = drag.current;
      if (!now) return;
      if (buttons === 0) return end();
      if (!now.isMoving && Math.hypot(clientX - now.x, clientY - now.y) < FAR_ENOUGH) return;
      if (!now.isMoving) currentTarget.setPointerCapture(pointerId);
      now.isMoving = true;
      closeCard();
      const spot = spotAt(clientX, clientY);
      if (!now.placed) return spot ? setSpan(spanBetween(now.from, spot)) : undefined;
      const { entry } = now.placed;
      setGhost(spot && { entry, to: timesAt(entry, now, spot), day: spot.day, x: clientX, y: clientY });
    },
    onPointerUp: ({ clientX, clientY }: PointerEvent<HTMLElement>) => {
      const now = drag.current;
      wasDragged.current = now?.isMoving ?? false;
      setTimeout(() => {
        wasDragged.current = false;
      });
      const to = now && spotAt(clientX, clientY);
      end();
      if (!now || !to) return;
      if (!now.placed) return onCreate?.(now.isMoving ? spanBetween(now.from, to) : spanAt(now.from));
      if (!now.isMoving) return;
      closeCardAfterDrop(clientX, clientY);
      void moveTo(now.placed.entry, timesAt(now.placed.entry, now, to));
    },
    // The click at the end of a drag must not open the event.
    onClickCapture: (event: { preventDefault: () => void; stopPropagation: () => void; detail: number }) => {
      if (!wasDragged.current) return;
      wasDragged.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
  const isOver = (day: string): boolean => day === ghost?.day || (span !== null && containsDay(span, day));
  return { isOver, ghost, span, handlers };
}

/** Beside the pointer while an entry is dragged: its title, and when it would be. */
export function DragGhost({ ghost }: { ghost: Ghost | null }) {
  if (!ghost) return null;
  const { entry, to, x, y } = ghost;
  const times = to.start_time && to.end_time ? `${clockTime(to.start_time)}–${clockTime(to.end_time)}` : '';
  return (
    <div
      aria-hidden
      className="pointer-events-none fixed z-40 max-w-60 rounded-lg border border-accent bg-raised px-2 py-1 text-xs shadow-float"
      style={{ left: x + 14, top: y + 14 }}
    >
      <span className="block truncate font-medium">{entry.title}</span>
      <span className="tabular-nums">{[shortDay(to.start_date), times].filter(Boolean).join(', ')}</span>
    </div>
  );
}
