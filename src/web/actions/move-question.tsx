import { lazily } from '../parts/lazily.tsx';
import { useStore } from '../parts/store.ts';
import { pendingMove } from './move.ts';

const MoveConfirm = lazily(() => import('./move-confirm.tsx'));

/** The question about a move, while there is one. Its dialog loads with the first question. */
export function MoveQuestion() {
  const pending = useStore(pendingMove);
  const ask = pending?.ask;
  return ask && <MoveConfirm {...pending} ask={ask} onClose={() => pending.answer('cancel')} />;
}
