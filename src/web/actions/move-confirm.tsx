import type { DryRun } from '../api/types.ts';
import { AudiencePreview } from '../dry-run/audience.tsx';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { whenText } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';
import { isPast, type Pending } from './move.ts';

type Props = Pending & { ask: DryRun; onClose: () => void };

/** Asks before a move into the past, of which people would be notified, or that clashes with another event. */
export default function MoveConfirm({ event, to, ask, answer, onClose }: Props) {
  const { people } = ask;
  return (
    <ConfirmDialog
      title={
        isPast(to, event.timezone) ? t('move.past') : people > 0 ? t('move.question', { people }) : t('move.clash')
      }
      confirm={people > 0 ? t('move.andNotify', { people }) : t('move.button')}
      others={people > 0 && <Button onClick={() => answer('silent')}>{t('move.silently')}</Button>}
      onClose={onClose}
      onConfirm={() => answer('notify')}
    >
      <p>
        <strong>{event.title}</strong>
        <br />
        {/* A clock change may skip the time that was chosen. */}
        {ask.event && whenText(ask.event)}
      </p>
      <AudiencePreview dryRun={ask} />
    </ConfirmDialog>
  );
}
