import { AudiencePreview } from '../parts/audience.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { clockTime, longDay } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';
import { usePendingMove } from './move.ts';

/** Asks whether to notify people of a move. */
export function MoveQuestion() {
  const pending = usePendingMove();
  if (!pending?.ask) return null;
  const { event, to, ask, answer } = pending;
  return (
    <Dialog
      title={t('move.question', { people: ask.people })}
      onClose={() => answer('cancel')}
      actions={
        <>
          <Button onClick={() => answer('cancel')}>{t('dialog.cancel')}</Button>
          <Button onClick={() => answer('silent')}>{t('move.silently')}</Button>
          <Button look="main" onClick={() => answer('notify')}>
            {t('move.andTell', { people: ask.people })}
          </Button>
        </>
      }
    >
      <p className="mb-3">
        <strong>{event.title}</strong>
        <br />
        {longDay(to.start_date)}
        {to.start_time && `, ${clockTime(to.start_time)}`}
      </p>
      <AudiencePreview dryRun={ask} />
    </Dialog>
  );
}
