import { lazy, Suspense, useEffect } from 'react';
import { useStore } from '../parts/store.ts';
import { cardAnchor, closeCard } from './card-anchor.ts';

const Card = lazy(() => import('./card.tsx'));

/** The card of an event, while one is open. It loads with the first. */
export function CardHost() {
  const anchor = useStore(cardAnchor);
  useEffect(() => closeCard, []);
  return <Suspense>{anchor && <Card anchor={anchor} />}</Suspense>;
}
