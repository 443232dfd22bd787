import { useEventOptions } from '../../api/queries.ts';
import type { SchoolEvent } from '../../api/types.ts';
import { t } from '../../texts/texts.ts';
import { ChannelBoxes } from './channel-boxes.tsx';
import { Select } from './field.tsx';

type Props = {
  label: string;
  name?: string;
  /** the text of a choice; 0: no reminder */
  textOf: (hours: number) => string;
  value: SchoolEvent['acknowledgement_reminder'];
  onChange: (reminder: SchoolEvent['acknowledgement_reminder']) => void;
};

/** The hours to choose from. */
export const REMINDER_HOURS = [0, 1, 3, 6, 24, 48, 72] as const;

/** A choice of hours, and of channels if there is a reminder. */
export function ReminderField({ label, name, textOf, value: reminder, onChange }: Props) {
  // A reminder without a channel would be refused, so it begins with the first that the school has.
  const first = useEventOptions()?.message_channels.slice(0, 1) ?? [];
  const { after_hours, channels } = reminder ?? { after_hours: 0, channels: first };
  return (
    <>
      <Select
        label={label}
        name={name}
        value={after_hours}
        onChange={(hours) => onChange(hours === 0 ? null : { after_hours: hours, channels })}
        options={[...new Set([...REMINDER_HOURS, after_hours])].map((hours) => ({
          value: hours,
          label: textOf(hours),
        }))}
      />
      {reminder && (
        <ChannelBoxes
          value={channels}
          onChange={(chosen) => onChange({ channels: chosen, after_hours })}
          fault={channels.length > 0 ? undefined : t('needed.channels')}
        />
      )}
    </>
  );
}
