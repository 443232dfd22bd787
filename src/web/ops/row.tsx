import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Eye } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '../event-parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { momentIn } from '../texts/dates.ts';
import { t, word } from '../texts/texts.ts';
import { type Delivery, type Quarantined, reveal } from './queries.ts';

const LOOKS: Partial<Record<Delivery['status'], string>> = {
  sent: 'bg-good-soft text-good',
  sent_unconfirmed: 'bg-warn-soft text-warn',
  unknown: 'bg-warn-soft text-warn',
  failed: 'bg-bad-soft text-bad',
  quarantined: 'bg-bad-soft text-bad',
};

type Props = { row: Delivery | Quarantined; hidesRecipient?: boolean; children?: ReactNode };

/** A message: status, attempts and, on request, its recipient, unless all rows have the same. */
export function Row({ row, hidesRecipient = false, children }: Props) {
  const recipient = useMutation({ mutationFn: () => reveal(row.id) });
  const { name, address } = recipient.data ?? { address: null, ...row };
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[9rem_1fr_auto]">
      <div className="flex items-center gap-2 sm:flex-col sm:items-start sm:gap-1">
        <Badge look={LOOKS[row.status] ?? 'bg-hover text-ink'} text={word('opsStatus', row.status)} />
        <time dateTime={row.created_at} className="text-sm text-soft">
          {momentIn(row.created_at)}
        </time>
      </div>
      <div className="min-w-0">
        <p className="break-words">
          <Link
            to={row.about === 'message' ? '/messages/$id' : '/events/$id'}
            params={{ id: row.event_id }}
            className="font-medium underline decoration-line underline-offset-4 hover:decoration-current"
          >
            {row.event_title ?? t('ops.unknownEvent')}
          </Link>
          <span className="text-soft">{` · ${word('trigger', row.trigger)} · ${word('channel', row.channel)}`}</span>
        </p>
        {!hidesRecipient && (
          <p className="break-words">
            {name}
            {address && <span className="text-soft"> · {address}</span>}
          </p>
        )}
        <p className="text-sm text-soft">
          {[
            row.status !== 'skipped' && t('ops.attempts', { count: row.attempts }),
            row.reason && word('reason', row.reason, row.reason_text ?? row.reason),
            row.detail && word('opsDetail', row.detail.split(' ', 1).join(), row.detail),
            row.provider,
            row.status === 'waiting' && t('ops.next', { when: momentIn(row.due_at) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {row.status === 'quarantined' && (
          <p className="mt-1 max-w-prose text-sm">
            {row.reason === 'crashed' ? t('ops.afterCrash', { id: row.id }) : t('ops.afterErrors')}
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-start gap-2 sm:justify-end">
        {!hidesRecipient && !recipient.data && (
          <Button
            look="quiet"
            busy={recipient.isPending}
            onClick={() => recipient.mutate()}
            aria-label={t('ops.revealOf', { name: row.name })}
            icon={Eye}
          >
            {t('ops.reveal')}
          </Button>
        )}
        {children}
      </div>
    </li>
  );
}
