import { Lock } from 'lucide-react';
import { ChannelTable } from '../parts/forms/channel-table.tsx';
import { CheckCell } from '../parts/forms/check-cell.tsx';
import { Section } from '../parts/page.tsx';
import { t, word } from '../texts/texts.ts';
import type { School } from './data.ts';
import type { Part } from './page.tsx';

type Kind = School['messages'][number];
type Channel = Kind['channels'][number];

/** Which messages the school sends, and on which channels. */
export function ChannelsCard({ school, body, change }: Part & { school: School }) {
  const chosenOf = ({ trigger, channels }: Kind): readonly Channel[] =>
    (body.channels?.[trigger] as Channel[] | undefined) ?? channels;
  /** A message that is sent at all is sent on its mandatory channels too. */
  const choose = (kind: Kind, channel: Channel, isOn: boolean) => {
    const others = chosenOf(kind).filter((one) => one !== channel);
    const left = kind.mandatory.includes(channel) ? [] : others;
    const channels = isOn ? [...new Set([...others, channel, ...kind.mandatory])] : left;
    change({ channels: { ...body.channels, [kind.trigger]: channels } });
  };
  return (
    <Section title={t('nav.messages')} text={t('school.messages.text')}>
      <ChannelTable
        caption={t('nav.messages')}
        channels={school.available_channels}
        rows={school.messages.map((kind) => ({ ...kind, name: word('trigger', kind.trigger) }))}
        cell={(kind, channel, label) =>
          kind.mandatory.includes(channel) && !kind.may_switch_off ? (
            <span className="inline-grid size-9 place-items-center text-accent-text">
              <Lock size={15} />
              <span className="sr-only">{t('settings.always')}</span>
            </span>
          ) : (
            <CheckCell
              label={label}
              checked={chosenOf(kind).includes(channel)}
              onChange={(isOn) => choose(kind, channel, isOn)}
            />
          )
        }
      />
    </Section>
  );
}
