import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { serverNow } from '../api/server-clock.ts';
import { durationText } from '../event/timing.ts';
import { numberText, t, word } from '../texts/texts.ts';
import type { Queue } from './queries.ts';

/** Queue length and age of the oldest message per channel, with a link to the quarantine. */
export const Queues = ({ queues }: { queues: readonly Queue[] }) => (
  <ul className="grid grid-cols-2 gap-3 lg:grid-cols-5">
    {queues.map((queue) => (
      <li key={queue.channel} className="rounded-card border border-line bg-card p-3.5 print:break-inside-avoid">
        <h3 className="font-medium text-soft">{word('channel', queue.channel)}</h3>
        <p className="mt-1 flex flex-wrap items-baseline gap-x-2">
          <span className="text-2xl font-semibold tabular-nums">
            {numberText(queue.due)}
            {queue.is_capped && '+'}
          </span>
          <span className="text-sm text-soft">{t('ops.due')}</span>
        </p>
        <p className="text-sm text-soft">
          {queue.oldest_due_at === null
            ? t('ops.nothingDue')
            : t('ops.oldest', { age: durationText(serverNow() - Date.parse(queue.oldest_due_at)) })}
        </p>
        <dl className="mt-2 grid grid-cols-[1fr_auto] gap-x-2 border-t border-line pt-2 text-sm">
          {(['sending', 'later', 'unknown'] as const).map((one) => (
            <div key={one} className="contents">
              <dt className="text-soft">{word('opsStatus', one, t('ops.later'))}</dt>
              <dd className="text-right tabular-nums">{numberText(queue[one])}</dd>
            </div>
          ))}
        </dl>
        {queue.quarantined > 0 && (
          <Link
            to="/ops"
            search={{ show: 'quarantine' }}
            className="mt-2 flex min-h-8 items-center gap-1.5 rounded-lg bg-warn-soft px-2 text-sm font-medium text-warn"
          >
            <TriangleAlert size={15} className="shrink-0" />
            {t('ops.inQuarantine', { count: queue.quarantined })}
          </Link>
        )}
      </li>
    ))}
  </ul>
);
