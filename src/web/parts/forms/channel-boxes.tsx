import { useEventOptions } from '../../api/queries.ts';
import type { NewMessage } from '../../api/types.ts';
import { t, wordOptions } from '../../texts/texts.ts';
import { Checkboxes, Fault } from './checkbox.tsx';

type Channels = NewMessage['channels'];
type Props = { value: Channels; fault?: string; onChange: (channels: Channels) => void };

/** The channels of a message of staff. */
export function ChannelBoxes({ value, fault, onChange }: Props) {
  const options = useEventOptions();
  return (
    <fieldset className="grid gap-1.5" data-faulty={fault ? true : undefined}>
      <legend className="mb-1 font-medium">{t('channels.sendBy')}</legend>
      <div className="-mx-2 flex flex-wrap gap-x-2 gap-y-1">
        <Checkboxes
          options={wordOptions('channel', options?.message_channels ?? [])}
          value={value}
          onChange={onChange}
        />
      </div>
      <Fault>{fault}</Fault>
    </fieldset>
  );
}
