import { type KeyboardEvent, useEffect, useRef } from 'react';

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
