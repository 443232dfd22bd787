import { useState } from 'react';
import type { Reminding } from '../api/types.ts';
import type { Subject } from '../event/messages/report.ts';
import { AskDialog } from '../parts/ask.tsx';
import { ChannelBoxes } from '../parts/forms/channel-boxes.tsx';
import { Select } from '../parts/forms/field.tsx';
import { REMINDER_HOURS } from '../parts/forms/reminder-field.tsx';
import { showNotice } from '../parts/notices.tsx';
import { t } from '../texts/texts.ts';
import { remind } from './data.ts';

type Props = { about: Subject; open: number; onClose: () => void };

/** Asks when and how to remind the people who have not confirmed. */
export function RemindDialog({ about, open, onClose }: Props) {
  const [hours, setHours] = useState<number>(0);
  const [channels, setChannels] = useState<NonNullable<Reminding['channels']>>([]);
  const body = { channels: channels.length > 0 ? channels : undefined, after_hours: hours || undefined };
  return (
    <AskDialog
      title={t('asks.remind')}
      confirm={t(hours > 0 ? 'acknowledgements.plan' : 'acknowledgements.send')}
      run={() => remind(about, body)}
      onDone={() => showNotice(t(hours > 0 ? 'acknowledgements.planned' : 'acknowledgements.reminded'))}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <p>{t('acknowledgements.remindText', { open })}</p>
        <Select
          label={t('event.schedule')}
          value={hours}
          onChange={setHours}
          options={REMINDER_HOURS.map((value) => ({ value, label: t('acknowledgements.later', { hours: value }) }))}
          hint={hours > 0 ? t('acknowledgements.laterHint') : undefined}
        />
        <ChannelBoxes channels={channels} onChange={setChannels} />
        <p className="text-sm text-soft">{t('acknowledgements.channelsHint')}</p>
      </div>
    </AskDialog>
  );
}
