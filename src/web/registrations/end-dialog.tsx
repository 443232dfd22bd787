import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { optionsQuery } from '../api/queries.ts';
import type { Rostered } from '../api/types.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, inputClass } from '../parts/field.tsx';
import { t } from '../texts/texts.ts';
import { nameOf } from './table.tsx';

type Props = {
  action: 'cancel' | 'decline';
  rows: readonly Rostered[];
  /** number of people on the waitlist */
  waiting: number;
  busy: boolean;
  onClose: () => void;
  onConfirm: (reason: string) => void;
};

/** Confirms cancelling or declining registrations, and collects a reason. */
export function EndDialog({ action, rows, waiting, busy, onClose, onConfirm }: Props) {
  const { data: options } = useQuery(optionsQuery);
  const [reason, setReason] = useState('');
  const [only] = rows;
  const name = rows.length === 1 && only ? nameOf(only) : '';
  const title = name
    ? t(`registrations.${action}One`, { name })
    : t(`registrations.${action}Many`, { count: rows.length });
  const actions = (
    <>
      <Button onClick={onClose}>{t('dialog.goBack')}</Button>
      <Button look="danger" busy={busy} onClick={() => onConfirm(reason)}>
        {t(`rosterAction.${action}`)}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} actions={actions}>
      <div className="grid gap-4">
        <p>{waiting > 0 ? t('registrations.waitlistText', { count: waiting }) : t('registrations.endText')}</p>
        <Field label={t('registrations.reason')} hint={t('registrations.reasonHint')}>
          {(props) => (
            <textarea
              {...props}
              rows={3}
              maxLength={options?.limits.reason}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
              className={inputClass}
            />
          )}
        </Field>
      </div>
    </Dialog>
  );
}
