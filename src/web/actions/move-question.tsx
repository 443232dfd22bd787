import { useSelector } from '@tanstack/react-store';
import { lazily } from '../parts/lazily.tsx';
import { pendingMove } from './move.ts';

const MoveConfirm = lazily(() => import('./move-confirm.tsx'));

/** The question about a move, while there is one. Its dialog loads with the first question. */
export function MoveQuestion() {
  const pending = useSelector(pendingMove);
  const ask = pending?.ask;
  return ask && <MoveConfirm {...pending} ask={ask} onClose={() => pending.answer('cancel')} />;
}
