import { type PointerEvent, useRef, useState } from 'react';
import { moveTo, shifted, type Times } from '../actions/move.ts';
import type { Entry } from '../api/types.ts';
import { addDays, daysBetween, minutesOf, timeAt } from '../texts/dates.ts';
import { closeCard, closeCardAfterDrop } from './card-anchor.ts';
import type { Placed } from './placing.ts';

/** pixels before a press counts as a drag */
const FAR_ENOUGH = 5;
/** minutes */
const STEP = 15;

/** The day under the pointer and, on a timeline, its minute. */
type Spot = { day: string; minute: number | null };

type Drag = { placed: Placed; from: Spot; resizes: boolean; x: number; y: number; isMoving: boolean };

function spotAt(x: number, y: number): Spot | null {
  const column = document.elementsFromPoint(x, y).find((one) => one instanceof HTMLElement && one.dataset.day) as
    | HTMLElement
    | undefined;
  if (!column) return null;
  const { day = '', timeline } = column.dataset;
  if (timeline === undefined) return { day, minute: null };
  const { top, height } = column.getBoundingClientRect();
  return { day, minute: Math.round((((y - top) / height) * 1440) / STEP) * STEP };
}

/** An entry under the pointer, with the times it would have there. */
export type Ghost = { entry: Entry; to: Times; x: number; y: number };

/** The times of an entry dragged by days and minutes; `resizes` drags only its end. */
export function dragged(entry: Entry, days: number, minutes: number, resizes: boolean): Times {
  const { start_date, end_date, start_time, end_time } = entry;
  const times = { start_date, end_date, start_time, end_time };
  if (resizes) {
    if (end_time === null || start_time === null) return times;
    const length = daysBetween(start_date, end_date) * 1440 + minutesOf(end_time) - minutesOf(start_time);
    const end = minutesOf(start_time) + Math.max(STEP, length + days * 1440 + minutes);
    return { ...times, end_date: addDays(start_date, Math.floor(end / 1440)), end_time: timeAt(end) };
  }
  if (start_time === null) return shifted(times, addDays(start_date, days), null);
  const start = minutesOf(start_time) + minutes;
  return shifted(times, addDays(start_date, days + Math.floor(start / 1440)), timeAt(start));
}

/** Lets the mouse drag entries that the user may edit. @returns handlers for the grid, the day under the pointer, and the ghost */
export function useDrag(all: readonly Placed[]) {
  const drag = useRef<Drag | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const [ghost, setGhost] = useState<Ghost | null>(null);
  const end = () => {
    drag.current = null;
    setOver(null);
    setGhost(null);
  };
  const timesAt = ({ placed: { entry }, from, resizes }: Drag, to: Spot): Times => {
    const minutes = to.minute === null || from.minute === null ? 0 : to.minute - from.minute;
    return dragged(entry, daysBetween(from.day, to.day), minutes, resizes);
  };
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.pointerType !== 'mouse' || event.button !== 0) return;
      const target = event.target as HTMLElement;
      const id = target.closest<HTMLElement>('[data-entry]')?.dataset.entry;
      const placed = all.find(({ entry }) => entry.id === id);
      const from = spotAt(event.clientX, event.clientY);
      if (!placed?.entry.allowed_actions.includes('edit') || !from) return;
      const resizes = target.closest('[data-resize]') !== null;
      drag.current = { placed, from, resizes, x: event.clientX, y: event.clientY, isMoving: false };
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
      setOver(spot?.day ?? null);
      setGhost(spot && { entry: now.placed.entry, to: timesAt(now, spot), x: clientX, y: clientY });
    },
    onPointerUp: ({ clientX, clientY }: PointerEvent<HTMLElement>) => {
      const now = drag.current;
      const to = now?.isMoving ? spotAt(clientX, clientY) : null;
      end();
      if (!now || !to) return;
      closeCardAfterDrop();
      void moveTo(now.placed.entry, timesAt(now, to));
    },
    // The click at the end of a drag must not open the event.
    onClickCapture: (event: { preventDefault: () => void; stopPropagation: () => void; detail: number }) => {
      if (!wasDragged.current) return;
      wasDragged.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
  const wasDragged = useRef(false);
  const { onPointerUp } = handlers;
  handlers.onPointerUp = (event) => {
    wasDragged.current = drag.current?.isMoving ?? false;
    onPointerUp(event);
    setTimeout(() => {
      wasDragged.current = false;
    });
  };
  return { over, ghost, handlers };
}
