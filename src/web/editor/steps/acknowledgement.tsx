import { ChannelBoxes } from '../../parts/forms/channel-boxes.tsx';
import { Select } from '../../parts/forms/field.tsx';
import { t } from '../../texts/texts.ts';
import { useEditing } from '../context.tsx';
import type { Draft } from '../draft/draft.ts';
import { Toggle } from '../inputs.tsx';

/** Hours after the announcement; 0: no reminder. */
const HOURS = [0, 1, 3, 6, 24, 48, 72] as const;

/** Whether the announcement asks its readers to confirm, and how those who have not are reminded. */
export function Acknowledgement() {
  const { draft, edit, faultOf } = useEditing();
  const { after_hours, channels } = draft.acknowledgement_reminder ?? { after_hours: 0, channels: [] };
  const change = (acknowledgement_reminder: Draft['acknowledgement_reminder']) => edit({ acknowledgement_reminder });
  return (
    <>
      <Toggle name="asks_acknowledgement" label={t('editor.asks')} hint={t('editor.asksHint')} />
      {draft.asks_acknowledgement && (
        <Select
          label={t('editor.asksReminder')}
          value={after_hours}
          onChange={(hours) => change(hours === 0 ? null : { after_hours: hours, channels })}
          options={[...new Set([...HOURS, after_hours])].map((hours) => ({
            value: hours,
            label: t('editor.asksReminderAfter', { hours }),
          }))}
        />
      )}
      {draft.asks_acknowledgement && after_hours > 0 && (
        <ChannelBoxes
          channels={channels}
          onChange={(chosen) => change({ channels: chosen, after_hours })}
          fault={faultOf('acknowledgement_reminder.channels')}
        />
      )}
    </>
  );
}
