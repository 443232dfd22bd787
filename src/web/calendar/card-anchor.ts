import { createAtom } from '@tanstack/react-store';
import type { MouseEvent, PointerEvent } from 'react';

/** The page's one card: its event, the element it belongs to, and whether it opens as a sheet. */
export type CardAnchor = { id: string; element: HTMLElement; isSheet: boolean };

export const cardAnchor = createAtom<CardAnchor | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;
let lastPointer = '';
/** where the mouse has dropped an entry: no card opens there until the mouse has moved away */
let dropped: { x: number; y: number } | null = null;

const SHOW_MS = 250;
const HIDE_MS = 200;

function set(next: CardAnchor | null): void {
  clearTimeout(timer);
  if (cardAnchor.get() !== next) cardAnchor.set(next);
}

export const closeCard = (): void => set(null);
export const closeCardAfterDrop = (x: number, y: number): void => {
  dropped = { x, y };
  closeCard();
};
const isDropped = ({ clientX, clientY }: PointerEvent): boolean =>
  dropped !== null && Math.hypot(clientX - dropped.x, clientY - dropped.y) < 1;
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
    onPointerEnter: (event: PointerEvent<HTMLElement>) => {
      const { currentTarget, pointerType, buttons } = event;
      if (pointerType !== 'mouse' || buttons !== 0 || isDropped(event)) return;
      clearTimeout(timer);
      // An entry may leave the page without the mouse leaving it.
      timer = setTimeout(() => currentTarget.isConnected && open(currentTarget), cardAnchor.get() ? 80 : SHOW_MS);
    },
    onPointerLeave: ({ pointerType }: PointerEvent<HTMLElement>) => {
      dropped = null;
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
