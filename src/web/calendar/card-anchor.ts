import type { MouseEvent, PointerEvent } from 'react';
import { createStore } from '../parts/store.ts';

/** The page's one card: its event, the element it belongs to, and whether it opens as a sheet. */
export type CardAnchor = { id: string; element: HTMLElement; isSheet: boolean };

export const cardAnchor = createStore<CardAnchor | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;
let lastPointer = '';
let droppedAt = Number.NEGATIVE_INFINITY;

const SHOW_MS = 250;
const HIDE_MS = 200;
/** For so long after a drop no card opens, since the entry has come to the mouse. */
const DROP_MS = 500;

function set(next: CardAnchor | null): void {
  clearTimeout(timer);
  if (cardAnchor.get() !== next) cardAnchor.set(next);
}

export const closeCard = (): void => set(null);
export const closeCardAfterDrop = (): void => {
  droppedAt = performance.now();
  closeCard();
};
/** Whether the pointer or the keyboard is on an entry, on its card, which lies beside it, or in a menu or dialog of the card. */
function isInUse({ element, isSheet }: CardAnchor): boolean {
  const { activeElement: focused } = document;
  const both = element.parentElement;
  if (isSheet || both?.querySelector(':hover')) return true;
  // A click with the mouse leaves the focus on an entry too.
  return focused === element ? element.matches(':focus-visible') : both?.contains(focused) === true;
}

/** Closes a card that is not in use by then. */
export function closeCardSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const card = cardAnchor.get();
    if (card && !isInUse(card)) closeCard();
  }, HIDE_MS);
}

/**
 * Handlers that open the card of an entry on hover and focus, and as a sheet on touch. `isLine`: a touch follows the link
 * instead, since a line of a list shows the details itself.
 */
export function cardHandlers(id: string, isLine = false) {
  const open = (element: HTMLElement, isSheet = false) => set({ id, element, isSheet });
  return {
    onPointerEnter: ({ currentTarget, pointerType, buttons }: PointerEvent<HTMLElement>) => {
      if (pointerType !== 'mouse' || buttons !== 0 || performance.now() < droppedAt + DROP_MS) return;
      clearTimeout(timer);
      timer = setTimeout(() => open(currentTarget), cardAnchor.get() ? 80 : SHOW_MS);
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
    onBlur: closeCardSoon,
    onClick: (event: MouseEvent<HTMLElement>) => {
      if (isLine || lastPointer !== 'touch' || event.detail === 0) return closeCard();
      event.preventDefault();
      open(event.currentTarget, true);
    },
  };
}
