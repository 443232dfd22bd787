import { useState } from 'react';
import type { Rostered } from '../api/types.ts';
import { ReasonField } from '../event-parts/reason-field.tsx';
import { AskDialog } from '../parts/ask.tsx';
import { t } from '../texts/texts.ts';
import { nameOf } from './table.tsx';

type Props = {
  action: 'cancel' | 'decline';
  rows: readonly Rostered[];
  /** number of people on the waitlist */
  waiting: number;
  run: (reason: string) => Promise<void>;
  onClose: () => void;
};

/** Confirms cancelling or declining registrations, and collects a reason. */
export function EndDialog({ action, rows, waiting, run, onClose }: Props) {
  const [reason, setReason] = useState('');
  const [only] = rows;
  return (
    <AskDialog
      title={
        rows.length === 1 && only
          ? t(`registrations.${action}One`, { name: nameOf(only) })
          : t(`registrations.${action}Many`, { count: rows.length })
      }
      confirm={t(`rosterAction.${action}`)}
      look="danger"
      cancel={t('dialog.goBack')}
      run={() => run(reason)}
      onClose={onClose}
    >
      <p>{waiting > 0 ? t('registrations.waitlistText', { count: waiting }) : t('registrations.endText')}</p>
      <ReasonField hint={t('registrations.reasonHint')} rows={3} value={reason} onChange={setReason} />
    </AskDialog>
  );
}
