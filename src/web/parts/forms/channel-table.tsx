import { Inbox, Mail, MessageSquareText, MonitorSmartphone } from 'lucide-react';
import type { ReactNode } from 'react';
import { t, word } from '../../texts/texts.ts';

/** Other channels are short messages to a phone. */
const PICTURES: Readonly<Record<string, typeof Mail>> = { email: Mail, push: MonitorSmartphone, in_app: Inbox };

type Row = { trigger: string; name: string; hint?: string };
type Props<R extends Row, C extends string> = {
  caption: string;
  channels: readonly C[];
  rows: readonly R[];
  /** `label` names the choice */
  cell: (row: R, channel: C, label: string) => ReactNode;
};

/** Choices by kind of message and channel. On a phone the name of a kind has a line of its own, above its choices. */
export function ChannelTable<R extends Row, C extends string>({ caption, channels, rows, cell }: Props<R, C>) {
  const columns = { gridTemplateColumns: `repeat(${channels.length}, minmax(0, 1fr))` };
  return (
    <table className="w-full table-fixed border-collapse max-sm:block">
      <caption className="sr-only">{caption}</caption>
      <thead className="max-sm:block">
        <tr className="text-[0.6875rem] tracking-tight max-sm:grid sm:text-sm sm:tracking-normal" style={columns}>
          <th scope="col" className="pb-2 text-left font-medium text-soft max-sm:sr-only">
            {t('message.what')}
          </th>
          {channels.map((channel) => {
            const Picture = PICTURES[channel] ?? MessageSquareText;
            return (
              <th key={channel} scope="col" className="pb-2 font-medium text-soft sm:w-24">
                <span className="flex flex-col items-center gap-0.5 wrap-anywhere">
                  <Picture size={16} />
                  {word('channel', channel)}
                </span>
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {rows.map((row) => (
          <tr key={row.trigger} className="border-t border-line hover:bg-hover max-sm:grid" style={columns}>
            <th scope="row" className="py-2 pr-2 text-left font-medium max-sm:col-span-full max-sm:pb-0">
              {row.name}
              {row.hint && <span className="block text-sm font-normal text-soft max-sm:sr-only">{row.hint}</span>}
            </th>
            {channels.map((channel) => (
              <td key={channel} className="text-center align-middle max-sm:grid max-sm:place-items-center">
                {cell(row, channel, `${row.name}: ${word('channel', channel)}`)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
