import { useState } from 'react';
import type { SchoolEvent } from '../api/types.ts';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/forms/field.tsx';
import { isDay, zoneHint } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';
import { moveTo, shifted } from './move.ts';

/** Moves an event to another day or time without dragging; its duration stays the same. */
export default function MoveDialog({ event, onClose }: { event: SchoolEvent; onClose: () => void }) {
  const [date, setDate] = useState(event.start_date);
  const [time, setTime] = useState(event.start_time ?? '');
  return (
    <ConfirmDialog
      title={t('move.title', { title: event.title })}
      confirm={t('move.button')}
      disabled={!isDay(date)}
      onClose={onClose}
      onConfirm={() => {
        onClose();
        void moveTo(event, shifted(event, date, time || null));
      }}
    >
      <div className="grid grid-cols-2 gap-3">
        <TextField type="date" label={t('actions.newDate')} value={date} onChange={setDate} />
        {!event.all_day && (
          <TextField
            type="time"
            label={t('actions.newTime')}
            hint={zoneHint(event.timezone, event.starts_at)}
            value={time}
            onChange={setTime}
          />
        )}
      </div>
    </ConfirmDialog>
  );
}
