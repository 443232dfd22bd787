import { useId, useState } from 'react';
import type { SchoolEvent } from '../api/types.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, inputClass } from '../parts/field.tsx';
import { t } from '../texts/texts.ts';
import { moveTo, shifted } from './move.ts';

/** Moves an event to another day or time without dragging; its duration stays the same. */
export default function MoveDialog({ event, onClose }: { event: SchoolEvent; onClose: () => void }) {
  const form = useId();
  const [date, setDate] = useState(event.start_date);
  const [time, setTime] = useState(event.start_time ?? '');
  return (
    <Dialog
      title={t('move.title', { title: event.title })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button look="main" type="submit" form={form} disabled={date === ''}>
            {t('move.button')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="grid grid-cols-2 gap-3"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          onClose();
          void moveTo(event, shifted(event, date, event.all_day ? null : time));
        }}
      >
        <Field label={t('actions.newDate')}>
          {(props) => (
            <input
              {...props}
              type="date"
              className={inputClass}
              value={date}
              onChange={(one) => setDate(one.target.value)}
            />
          )}
        </Field>
        {!event.all_day && (
          <Field label={t('actions.newTime')}>
            {(props) => (
              <input
                {...props}
                type="time"
                className={inputClass}
                value={time}
                onChange={(one) => setTime(one.target.value)}
              />
            )}
          </Field>
        )}
      </form>
    </Dialog>
  );
}
