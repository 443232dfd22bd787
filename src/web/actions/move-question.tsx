import { AudiencePreview } from '../event-parts/audience.tsx';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { useStore } from '../parts/store.ts';
import { clockTime, longDay } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';
import { isPast, pendingMove } from './move.ts';

/** Asks whether to notify people of a move. */
export function MoveQuestion() {
  const pending = useStore(pendingMove);
  if (!pending?.ask) return null;
  const { event, to, ask, answer } = pending;
  const { people } = ask;
  return (
    <ConfirmDialog
      title={isPast(to) ? t('move.past') : t('move.question', { people })}
      confirm={people > 0 ? t('move.andTell', { people }) : t('move.button')}
      others={people > 0 && <Button onClick={() => answer('silent')}>{t('move.silently')}</Button>}
      onClose={() => answer('cancel')}
      onConfirm={() => answer('notify')}
    >
      <p>
        <strong>{event.title}</strong>
        <br />
        {longDay(to.start_date)}
        {to.start_time && `, ${clockTime(to.start_time)}`}
      </p>
      <AudiencePreview dryRun={ask} />
    </ConfirmDialog>
  );
}
