import { useEffect } from 'react';
import { lazily } from '../parts/lazily.tsx';
import { useStore } from '../parts/store.ts';
import { cardAnchor, closeCard } from './card-anchor.ts';

const Card = lazily(() => import('./card.tsx'));

/** The card of an event, while one is open. It loads with the first. */
export function CardHost() {
  const anchor = useStore(cardAnchor);
  useEffect(() => closeCard, []);
  return anchor && <Card anchor={anchor} />;
}
