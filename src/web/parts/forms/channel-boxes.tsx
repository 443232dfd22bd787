import { useQuery } from '@tanstack/react-query';
import { optionsQuery } from '../../api/queries.ts';
import type { NewMessage } from '../../api/types.ts';
import { t, word } from '../../texts/texts.ts';
import { Checkbox } from './field.tsx';

type Channels = NewMessage['channels'];
type Props = { channels: Channels; fault: string | undefined; onChange: (channels: Channels) => void };

/** The channels of a message of staff. */
export function ChannelBoxes({ channels, fault, onChange }: Props) {
  const { data: options } = useQuery(optionsQuery);
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1 font-medium">{t('channels.sendBy')}</legend>
      <div className="-mx-2 flex flex-wrap gap-x-2 gap-y-1">
        {options?.message_channels.map((channel) => (
          <Checkbox
            key={channel}
            checked={channels.includes(channel)}
            onChange={(on) => onChange(on ? [...channels, channel] : channels.filter((one) => one !== channel))}
          >
            {word('channel', channel)}
          </Checkbox>
        ))}
      </div>
      {fault && <p className="text-sm font-medium text-bad">{fault}</p>}
    </fieldset>
  );
}
