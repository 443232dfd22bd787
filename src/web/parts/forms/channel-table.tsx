import { Inbox, Mail, MessageSquareText, MonitorSmartphone } from 'lucide-react';
import type { ReactNode } from 'react';
import { t, word } from '../../texts/texts.ts';

/** Other channels are short messages to a phone. */
const PICTURES: Readonly<Record<string, typeof Mail>> = { email: Mail, push: MonitorSmartphone, in_app: Inbox };

type Row = { trigger: string; name: string; hint?: string };
type Props<R extends Row, Channel extends string> = {
  caption: string;
  channels: readonly Channel[];
  rows: readonly R[];
  /** `label` names the choice */
  cell: (row: R, channel: Channel, label: string) => ReactNode;
};

/** Choices by kind of message and channel. */
export function ChannelTable<R extends Row, Channel extends string>({
  caption,
  channels,
  rows,
  cell,
}: Props<R, Channel>) {
  return (
    <table className="w-full table-fixed border-collapse">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="text-[0.625rem] tracking-tighter sm:text-sm sm:tracking-normal">
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
          <tr key={row.trigger} className="border-t border-line hover:bg-hover">
            <th scope="row" className="py-2 pr-1 text-left font-medium wrap-break-word max-sm:text-sm sm:pr-2">
              {row.name}
              {row.hint && <span className="block text-sm font-normal text-soft max-sm:sr-only">{row.hint}</span>}
            </th>
            {channels.map((channel) => (
              <td key={channel} className="text-center align-middle">
                {cell(row, channel, t('settings.cell', { kind: row.name, channel: word('channel', channel) }))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
