import { Inbox as InboxIcon, Lock, Mail, MessageSquareText, Minus, MonitorSmartphone } from 'lucide-react';
import { CheckCell } from '../parts/forms/check-cell.tsx';
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

type Trigger = Messages[number]['trigger'];

/** Messages that share a row with another kind, so that one choice covers them all. */
const ROW_OF: Partial<Record<Trigger, Trigger>> = {
  'event.unpublished': 'event.changed',
  'registration.pending': 'registration.confirmed',
  'registration.waitlisted': 'registration.confirmed',
  'registration.declined': 'registration.confirmed',
  'registration.refused': 'registration.confirmed',
  'registration.cancelled': 'event.cancelled',
  'message.answered': 'message',
  'acknowledgement.due': 'reminder.due',
};

const rowOf = (trigger: Trigger): Trigger => ROW_OF[trigger] ?? trigger;

/** The choice of a row on a channel: free if it is free for one of its messages, else that of its first message. */
function rowChannels(messages: Messages, row: Trigger): Channel[] {
  const all = messages.filter(({ trigger }) => rowOf(trigger) === row).map(({ channels }) => channels);
  const free = (channel: string) => all.flat().find((one) => one.channel === channel && one.choice === 'free');
  return (messages.find(({ trigger }) => trigger === row)?.channels ?? []).map((one) => free(one.channel) ?? one);
}

/** Choices by kind of message and channel. Marks fixed ones, with the reasons below the table. */
export function Matrix({ messages: whole, preferences }: { messages: Messages; preferences: Preferences }) {
  const update = useUpdatePreferences();
  const messages = whole.map((row) => ({
    ...row,
    channels: row.channels.filter((one) => one.reason !== 'channel_off'),
  }));
  const rows = [...new Set(messages.map(({ trigger }) => rowOf(trigger)))];
  const channels = messages[0]?.channels.map(({ channel }) => channel) ?? [];
  const all = messages.flatMap(({ trigger, channels: row }) =>
    row.filter(({ choice }) => choice === 'free').map(({ channel }) => ({ trigger, channel })),
  );
  const { opted_out } = preferences;
  const cellsOf = (row: Trigger, channel: string) =>
    all.filter((one) => rowOf(one.trigger) === row && one.channel === channel);
  const reasons = new Map<string, Channel>();
  for (const one of rows.flatMap((row) => rowChannels(messages, row))) if (one.reason) reasons.set(one.reason, one);

  return (
    <div className="grid gap-3">
      <table className="w-full table-fixed border-collapse">
        <caption className="sr-only">{t('settings.messages')}</caption>
        <thead>
          <tr className="text-xs sm:text-sm">
            <th scope="col" className="pb-2 text-left font-medium text-soft">
              {t('deliveries.what')}
            </th>
            {channels.map((channel) => {
              const Picture = PICTURES[channel] ?? MessageSquareText;
              return (
                <th key={channel} scope="col" className="w-13 pb-2 font-medium text-soft sm:w-24">
                  <span className="flex flex-col items-center gap-0.5 sm:flex-row sm:justify-center sm:gap-1.5">
                    <Picture size={16} />
                    {word('channel', channel)}
                  </span>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row} className="border-t border-line hover:bg-hover">
              <th scope="row" className="py-2 pr-2 text-left font-medium">
                {word('messages', row)}
                <span className="block text-sm font-normal text-soft max-sm:sr-only">{word('messagesHint', row)}</span>
              </th>
              {rowChannels(messages, row).map((one) => (
                <td key={one.channel} className="text-center align-middle">
                  <Cell
                    one={one}
                    label={t('settings.cell', {
                      kind: word('messages', row),
                      channel: word('channel', one.channel),
                    })}
                    optedIn={cellsOf(row, one.channel).every((cell) => isOptedIn(opted_out, cell))}
                    onChange={(optedIn) =>
                      update.mutate((before) => ({
                        ...before,
                        opted_out: cellsOf(row, one.channel).reduce(
                          (opted_out, cell) => updateOptOuts(opted_out, cell, optedIn, all),
                          before.opted_out,
                        ),
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
  return <CheckCell label={label} checked={optedIn} onChange={onChange} />;
}

function Mark({ choice }: { choice: Channel['choice'] }) {
  if (choice === 'always')
    return (
      <span className="grid size-5 place-items-center rounded bg-accent-soft text-accent-text">
        <Lock size={13} />
      </span>
    );
  return <Minus size={16} className="text-soft" />;
}
