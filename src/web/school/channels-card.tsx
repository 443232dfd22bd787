import { Lock } from 'lucide-react';
import { CheckCell } from '../parts/forms/check-cell.tsx';
import { Section } from '../parts/section.tsx';
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
    <Section title={t('school.messages')} text={t('school.messages.text')}>
      <table className="w-full table-fixed border-collapse">
        <caption className="sr-only">{t('school.messages')}</caption>
        <thead>
          <tr className="text-xs sm:text-sm">
            <th scope="col" className="pb-2 text-left font-medium text-soft">
              {t('deliveries.what')}
            </th>
            {school.available_channels.map((channel) => (
              <th key={channel} scope="col" className="w-13 pb-2 font-medium text-soft sm:w-24">
                {word('channel', channel)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {school.messages.map((kind) => (
            <tr key={kind.trigger} className="border-t border-line hover:bg-hover">
              <th scope="row" className="py-2 pr-2 text-left font-medium">
                {word('trigger', kind.trigger)}
              </th>
              {school.available_channels.map((channel) => (
                <td key={channel} className="text-center align-middle">
                  {kind.mandatory.includes(channel) && !kind.may_switch_off ? (
                    <Fixed />
                  ) : (
                    <CheckCell
                      label={t('settings.cell', {
                        kind: word('trigger', kind.trigger),
                        channel: word('channel', channel),
                      })}
                      checked={chosenOf(kind).includes(channel)}
                      onChange={(isOn) => choose(kind, channel, isOn)}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

const Fixed = () => (
  <span className="inline-grid size-9 place-items-center text-accent-text">
    <Lock size={15} />
    <span className="sr-only">{t('settings.always')}</span>
  </span>
);
