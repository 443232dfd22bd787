import { Lock, Minus } from 'lucide-react';
import { ChannelTable } from '../parts/forms/channel-table.tsx';
import { CheckCell } from '../parts/forms/check-cell.tsx';
import { t, word } from '../texts/texts.ts';
import { isOptedIn, updateOptOuts } from './opt-outs.ts';
import { type Preferences, type Settings, useUpdatePreferences } from './queries.ts';

type Messages = Settings['messages'];
type Channel = Messages[number]['channels'][number];

/** Why there is no choice. */
const reasonOf = ({ choice, reason, reason_text }: Channel): string =>
  `${t(choice === 'always' ? 'settings.always' : 'settings.never')}: ${reason ? word('noChoice', reason, reason_text ?? reason) : ''}`;

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
  const rows = [...new Set(messages.map(({ trigger }) => rowOf(trigger)))].map((trigger) => ({
    trigger,
    name: word('messages', trigger, word('trigger', trigger)),
    hint: word('messagesHint', trigger),
    channels: rowChannels(messages, trigger),
  }));
  const channels = messages[0]?.channels.map(({ channel }) => channel) ?? [];
  const all = messages.flatMap(({ trigger, channels: row }) =>
    row.filter(({ choice }) => choice === 'free').map(({ channel }) => ({ trigger, channel })),
  );
  const { opted_out } = preferences;
  const reasons = new Map<string, Channel>();
  for (const one of rows.flatMap((row) => row.channels)) if (one.reason) reasons.set(one.reason, one);

  return (
    <div className="grid gap-3">
      <ChannelTable
        caption={t('settings.messages')}
        channels={channels}
        rows={rows}
        cell={(row, channel, label) => {
          const one = row.channels.find((found) => found.channel === channel);
          const cells = all.filter((cell) => rowOf(cell.trigger) === row.trigger && cell.channel === channel);
          if (one?.choice !== 'free') return one && <Fixed one={one} />;
          return (
            <CheckCell
              label={label}
              checked={cells.every((cell) => isOptedIn(opted_out, cell))}
              onChange={(optedIn) =>
                update.mutate((before) => ({
                  ...before,
                  opted_out: cells.reduce(
                    (opted_out, cell) => updateOptOuts(opted_out, cell, optedIn, all),
                    before.opted_out,
                  ),
                }))
              }
            />
          );
        }}
      />
      <ul className="grid gap-1 text-sm text-soft">
        {[...reasons.values()].map((one) => (
          <li key={one.reason} className="flex items-center gap-2">
            <Mark choice={one.choice} />
            {reasonOf(one)}
          </li>
        ))}
      </ul>
    </div>
  );
}

const Fixed = ({ one }: { one: Channel }) => (
  <span title={reasonOf(one)} className="inline-grid min-h-9 place-items-center">
    <Mark choice={one.choice} />
    <span className="sr-only">{reasonOf(one)}</span>
  </span>
);

function Mark({ choice }: { choice: Channel['choice'] }) {
  if (choice === 'always')
    return (
      <span className="grid size-5 place-items-center rounded bg-accent-soft text-accent-text">
        <Lock size={13} />
      </span>
    );
  return <Minus size={16} className="text-soft" />;
}
