import { useQuery } from '@tanstack/react-query';
import { FilePen } from 'lucide-react';
import { api, unwrap } from '../api/client.ts';
import { optionsQuery } from '../api/queries.ts';
import type { SchoolEvent } from '../api/types.ts';
import { toneOf } from '../event-parts/badge.tsx';
import { EventLink } from '../event-parts/event-link.tsx';
import { EventRow, rowClass } from '../event-parts/event-row.tsx';
import { Empty } from '../parts/empty.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { scheduleText } from '../texts/dates.ts';
import { inLanguage } from '../texts/in-language.ts';
import { t } from '../texts/texts.ts';
import { cardHandlers } from './card-anchor.ts';

const SHOWN = [
  'title',
  'translations',
  'event_type',
  'status',
  'start_date',
  'end_date',
  'start_time',
  'end_time',
  'all_day',
  'location_name',
] as const;

type Draft = Pick<SchoolEvent, 'id' | (typeof SHOWN)[number]>;

/** Drafts, which only staff see and no calendar shows. */
export function Drafts() {
  const drafts = useQuery({
    queryKey: ['events', 'drafts'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/v1/operations/events', {
          params: { query: { status: ['draft'], limit: 100, fields: [...SHOWN] } },
          signal,
        }),
      ),
  });
  const { data: options } = useQuery(optionsQuery);
  return (
    <Loaded query={drafts} label={t('calendar.waiting')}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty icon={<FilePen size={32} aria-hidden />} title={t('empty.noDrafts')} />
        ) : (
          <div className="mx-auto w-full max-w-3xl px-3 py-4 sm:px-6">
            <h2 className="mb-1.5 px-1 text-sm font-semibold text-soft">{t('filter.drafts')}</h2>
            <ul className="overflow-hidden rounded-card border border-dashed border-edge bg-card">
              {(data as Draft[]).map((draft) => {
                const event = inLanguage(draft);
                const type = options?.event_types.find(({ value }) => value === event.event_type);
                const { days, times } = scheduleText(event);
                return (
                  <li key={event.id} className="border-b border-line last:border-b-0">
                    <EventLink
                      id={event.id}
                      data-entry={event.id}
                      {...cardHandlers(event.id, true)}
                      data-color={toneOf(type?.color)}
                      className={`${rowClass} grid-cols-[auto_minmax(0,1fr)] sm:grid-cols-[auto_minmax(0,1fr)_auto]`}
                    >
                      <EventRow
                        event={event}
                        icon={type?.icon ?? ''}
                        when={[days, times].filter(Boolean).join(', ')}
                        location={event.location_name}
                      />
                    </EventLink>
                  </li>
                );
              })}
            </ul>
          </div>
        )
      }
    </Loaded>
  );
}
