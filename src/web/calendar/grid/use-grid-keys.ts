import { type KeyboardEvent, useEffect, useRef } from 'react';
import { addDays, addMonths, weekdayOf } from '../../texts/dates.ts';

type Options = {
  /** the cell that a key leads to from this one; undefined for other keys. It may be on a page that renders only later. */
  to: (event: KeyboardEvent, cell: string) => string | undefined;
  onMove: (cell: string) => void;
};

/**
 * The keyboard of the ARIA grid pattern: one cell is in the tab order, and keys move the focus between cells (`data-cell`).
 * Keeps the focus when the cell belongs to another month or week.
 */
export function useGridKeys<Grid extends HTMLElement = HTMLDivElement>({ to, onMove }: Options) {
  const ref = useRef<Grid>(null);
  const goesTo = useRef<string | null>(null);
  const focusCell = () => {
    const cell = goesTo.current && ref.current?.querySelector<HTMLElement>(`[data-cell="${goesTo.current}"]`);
    if (!cell) return;
    goesTo.current = null;
    cell.focus();
  };
  useEffect(focusCell);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { cell } = (event.target as HTMLElement).dataset;
    const next = cell && to(event, cell);
    if (!next) return;
    event.preventDefault();
    goesTo.current = next;
    onMove(next);
    focusCell();
  };
  return { ref, onKeyDown };
}

/** The day that a key leads to in a month: arrows by a day or a week, Home and End within a week, Page keys by a month. */
export function dayAfterKey({ key }: KeyboardEvent, day: string): string | undefined {
  const steps: Record<string, number> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -7,
    ArrowDown: 7,
    Home: -weekdayOf(day),
    End: 6 - weekdayOf(day),
  };
  const step = steps[key];
  if (step !== undefined) return addDays(day, step);
  return key === 'PageUp' ? addMonths(day, -1) : key === 'PageDown' ? addMonths(day, 1) : undefined;
}
