import type { DryRun } from '../api/types.ts';
import { AudiencePreview } from '../dry-run/audience.tsx';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { clockTime, longDay } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';
import { isPast, type Pending, type Times } from './move.ts';

/** Asks whether to notify people of a move. */
export default function MoveConfirm({ event, to, ask, answer }: Pending & { ask: DryRun }) {
  const { people } = ask;
  return (
    <ConfirmDialog
      title={titleOf(to, people)}
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

/** The reason to ask: it moves into the past, people would be notified, or it clashes with another event. */
const titleOf = (to: Times, people: number): string =>
  isPast(to) ? t('move.past') : people > 0 ? t('move.question', { people }) : t('move.clash');
