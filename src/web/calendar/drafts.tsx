import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FilePen } from 'lucide-react';
import { api, unwrap } from '../api/client.ts';
import { optionsQuery } from '../api/queries.ts';
import type { Options, SchoolEvent } from '../api/types.ts';
import { toneOf } from '../parts/badge.tsx';
import { Empty, Skeleton } from '../parts/empty.tsx';
import { Icon } from '../parts/icon.tsx';
import { ErrorMessage } from '../parts/page.tsx';
import { scheduleText } from '../texts/dates.ts';
import { t, word } from '../texts/texts.ts';
import { cardHandlers } from './card-anchor.ts';

/** Drafts, which only staff see and no calendar shows. */
export function Drafts() {
  const { data, error, refetch } = useQuery({
    queryKey: ['events', 'drafts'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/v1/operations/events', { params: { query: { status: ['draft'], limit: 100 } }, signal })),
  });
  const { data: options } = useQuery(optionsQuery);
  if (error) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton label={t('calendar.waiting')} />;
  if (data.data.length === 0) return <Empty icon={<FilePen size={32} aria-hidden />} title={t('empty.noDrafts')} />;
  return (
    <div className="mx-auto w-full max-w-3xl px-3 py-4 sm:px-6">
      <h2 className="mb-1.5 px-1 text-sm font-semibold text-soft">{t('filter.drafts')}</h2>
      <ul className="overflow-hidden rounded-card border border-dashed border-edge bg-card">
        {data.data.map((event) => (
          <Line
            key={event.id}
            event={event}
            type={options?.event_types.find(({ value }) => value === event.event_type)}
          />
        ))}
      </ul>
    </div>
  );
}

function Line({ event, type }: { event: SchoolEvent; type: Options['event_types'][number] | undefined }) {
  const card = cardHandlers(event.id, true);
  const { days, times } = scheduleText(event);
  return (
    <li className="border-b border-line last:border-b-0">
      <Link
        to="/events/$id"
        params={{ id: event.id }}
        data-entry={event.id}
        {...card}
        data-color={toneOf(type?.color)}
        className="flex min-h-14 items-center gap-3 px-3 py-2 hover:bg-hover"
      >
        <span className="grid size-9 shrink-0 place-items-center rounded-lg bg-(--tone-soft) text-(--tone-text)">
          <Icon name={type?.icon ?? ''} size={18} />
        </span>
        <span className="min-w-0">
          <span className="block font-medium">{event.title}</span>
          <span className="flex flex-wrap gap-x-3 text-sm text-soft">
            {[days, times, word('type', event.event_type)].filter(Boolean).map((part) => (
              <span key={part} className="first-letter:uppercase">
                {part}
              </span>
            ))}
          </span>
        </span>
      </Link>
    </li>
  );
}
