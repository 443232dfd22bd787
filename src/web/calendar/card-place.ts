import type { MouseEvent, PointerEvent } from 'react';
import { useSyncExternalStore } from 'react';

/** The one card of the page: for which event, at which place, and whether as a sheet from below. */
export type CardPlace = { id: string; anchor: HTMLElement; isSheet: boolean };

let shown: CardPlace | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let lastPointer = '';
const listeners = new Set<() => void>();

const SHOW_MS = 250;
const HIDE_MS = 200;

function set(next: CardPlace | null): void {
  clearTimeout(timer);
  if (shown === next) return;
  shown = next;
  for (const listener of listeners) listener();
}

/** Stays while the pointer is on the card. */
export const keepCard = (): void => clearTimeout(timer);
export const closeCard = (): void => set(null);
export function closeCardSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(closeCard, HIDE_MS);
}

export const useCardPlace = (): CardPlace | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );

/**
 * What an entry needs to open the card: on pointing, on focus, and as a sheet where it is touched. A line of a list, which
 * says enough by itself, leads on when it is touched: `isLine`.
 */
export function useCard(id: string, isLine = false) {
  const open = (anchor: HTMLElement, isSheet = false) => set({ id, anchor, isSheet });
  return {
    onPointerEnter: ({ currentTarget, pointerType, buttons }: PointerEvent<HTMLElement>) => {
      if (pointerType !== 'mouse' || buttons !== 0) return;
      clearTimeout(timer);
      timer = setTimeout(() => open(currentTarget), shown ? 80 : SHOW_MS);
    },
    onPointerLeave: ({ pointerType }: PointerEvent<HTMLElement>) => {
      if (pointerType === 'mouse') closeCardSoon();
    },
    onPointerDown: ({ pointerType }: PointerEvent<HTMLElement>) => {
      lastPointer = pointerType;
      closeCard();
    },
    onFocus: ({ currentTarget }: { currentTarget: HTMLElement }) => {
      if (currentTarget.matches(':focus-visible')) open(currentTarget);
    },
    onClick: (event: MouseEvent<HTMLElement>) => {
      if (isLine || lastPointer !== 'touch' || event.detail === 0) return closeCard();
      event.preventDefault();
      open(event.currentTarget, true);
    },
  };
}
