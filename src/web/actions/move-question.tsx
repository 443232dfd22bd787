import { lazy, Suspense } from 'react';
import { useStore } from '../parts/store.ts';
import { pendingMove } from './move.ts';

const MoveConfirm = lazy(() => import('./move-confirm.tsx'));

/** The question about a move, while there is one. Its dialog loads with the first question. */
export function MoveQuestion() {
  const pending = useStore(pendingMove);
  const ask = pending?.ask;
  return (
    ask && (
      <Suspense>
        <MoveConfirm {...pending} ask={ask} />
      </Suspense>
    )
  );
}
