import { Inbox as InboxIcon, Lock, Mail, MessageSquareText, Minus, MonitorSmartphone } from 'lucide-react';
import { t, word } from '../texts/texts.ts';
import { isOptedIn, updateOptOuts } from './opt-outs.ts';
import { type Preferences, type Settings, useUpdatePreferences } from './queries.ts';

type Messages = Settings['messages'];
type Channel = Messages[number]['channels'][number];

/** Other channels are short messages to a phone. */
const PICTURES: Partial<Record<Channel['channel'], typeof Mail>> = {
  email: Mail,
  push: MonitorSmartphone,
  in_app: InboxIcon,
};

const reasonOf = ({ reason, reason_text }: Channel): string =>
  reason ? word('noChoice', reason, reason_text ?? reason) : '';

/** Choices by message and channel. Marks fixed ones, with the reasons below the table. */
export function Matrix({ messages: whole, preferences }: { messages: Messages; preferences: Preferences }) {
  const update = useUpdatePreferences();
  const messages = whole.map((row) => ({
    ...row,
    channels: row.channels.filter((one) => one.reason !== 'channel_off'),
  }));
  const channels = messages[0]?.channels.map(({ channel }) => channel) ?? [];
  const all = messages.flatMap(({ trigger, channels: row }) =>
    row.filter(({ choice }) => choice === 'free').map(({ channel }) => ({ trigger, channel })),
  );
  const { opted_out } = preferences;
  const reasons = new Map<string, Channel>();
  for (const one of messages.flatMap((row) => row.channels)) if (one.reason) reasons.set(one.reason, one);

  return (
    <div className="grid gap-3">
      <table className="w-full table-fixed border-collapse">
        <caption className="sr-only">{t('settings.messages')}</caption>
        <thead>
          <tr className="text-sm">
            <th scope="col" className="pb-2 text-left font-medium text-soft">
              {t('deliveries.what')}
            </th>
            {channels.map((channel) => {
              const Picture = PICTURES[channel] ?? MessageSquareText;
              return (
                <th key={channel} scope="col" className="w-13 pb-2 font-medium text-soft sm:w-24">
                  <span className="flex flex-col items-center gap-0.5 sm:flex-row sm:justify-center sm:gap-1.5">
                    <Picture size={16} aria-hidden />
                    {word('channel', channel)}
                  </span>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {messages.map(({ trigger, channels: row }) => (
            <tr key={trigger} className="border-t border-line hover:bg-hover">
              <th scope="row" className="py-2 pr-2 text-left font-medium">
                {word('trigger', trigger)}
                <span className="block text-sm font-normal text-soft max-sm:sr-only">
                  {word('triggerHint', trigger)}
                </span>
              </th>
              {row.map((one) => (
                <td key={one.channel} className="text-center align-middle">
                  <Cell
                    one={one}
                    label={t('settings.cell', {
                      kind: word('trigger', trigger),
                      channel: word('channel', one.channel),
                    })}
                    optedIn={isOptedIn(opted_out, { trigger, channel: one.channel })}
                    onChange={(optedIn) =>
                      update.mutate((before) => ({
                        ...before,
                        opted_out: updateOptOuts(before.opted_out, { trigger, channel: one.channel }, optedIn, all),
                      }))
                    }
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <ul className="grid gap-1 text-sm text-soft">
        {[...reasons.values()].map((one) => (
          <li key={one.reason} className="flex items-center gap-2">
            <Mark choice={one.choice} />
            {one.choice === 'always' ? t('settings.always') : t('settings.never')}: {reasonOf(one)}
          </li>
        ))}
      </ul>
    </div>
  );
}

type CellProps = { one: Channel; label: string; optedIn: boolean; onChange: (optedIn: boolean) => void };

function Cell({ one, label, optedIn, onChange }: CellProps) {
  if (one.choice !== 'free')
    return (
      <span title={reasonOf(one)} className="inline-grid min-h-9 place-items-center">
        <Mark choice={one.choice} />
        <span className="sr-only">
          {one.choice === 'always' ? t('settings.always') : t('settings.never')}: {reasonOf(one)}
        </span>
      </span>
    );
  return (
    <label className="inline-grid size-9 cursor-pointer place-items-center rounded-lg hover:bg-card">
      <input
        type="checkbox"
        aria-label={label}
        checked={optedIn}
        onChange={(event) => onChange(event.target.checked)}
        className="size-5 cursor-pointer accent-accent"
      />
    </label>
  );
}

function Mark({ choice }: { choice: Channel['choice'] }) {
  if (choice === 'always')
    return (
      <span className="grid size-5 place-items-center rounded bg-accent-soft text-accent-text">
        <Lock size={13} aria-hidden />
      </span>
    );
  return <Minus size={16} aria-hidden className="text-soft" />;
}
