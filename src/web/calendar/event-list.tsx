import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CalendarX2 } from 'lucide-react';
import { api, unwrap } from '../api/client.ts';
import { listQuery, optionsQuery } from '../api/queries.ts';
import type { Entry, ListQuery, SchoolEvent } from '../api/types.ts';
import { LISTED } from '../event-parts/find-events.ts';
import { buttonClass } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { Loaded, MoreButton } from '../parts/loaded.tsx';
import { addDays, scheduleText } from '../texts/dates.ts';
import { inLanguage } from '../texts/in-language.ts';
import { t } from '../texts/texts.ts';
import { EventLine } from './event-line.tsx';
import { type CalendarSearch, filtersOf } from './search.ts';

const SHOWN = [...LISTED, 'location_name', 'is_featured', 'registered'] as const;

type Listed = Pick<SchoolEvent, 'id' | Exclude<(typeof SHOWN)[number], 'registered'>> & Pick<Entry, 'registered'>;

/** Drafts, which only staff see and no calendar shows. */
export const Drafts = () => (
  <>
    <EventList heading={t('filter.drafts')} query={{ status: ['draft'] }} empty={t('empty.noDrafts')} />
    <Link to="/events/copy" className={buttonClass('plain', 'mb-6 self-center')}>
      {t('copy.title')}
    </Link>
  </>
);

/** The events that a search finds at any time: upcoming ones, then past ones. */
export function Found({ search, today }: { search: CalendarSearch; today: string }) {
  const { start_date_from, start_date_to, ...filters } = filtersOf(search);
  if (start_date_from || start_date_to)
    return (
      <EventList
        heading={t('found.all')}
        query={{ ...filters, start_date_from, start_date_to }}
        empty={t('found.none')}
      />
    );
  return (
    <>
      <EventList
        heading={t('found.coming')}
        query={{ ...filters, start_date_from: today }}
        empty={t('found.noneComing')}
      />
      <EventList
        heading={t('found.past')}
        query={{ ...filters, start_date_to: addDays(today, -1), sort: '-start_date' }}
        empty={t('found.nonePast')}
      />
    </>
  );
}

function EventList({ heading, query, empty }: { heading: string; query: ListQuery; empty: string }) {
  const events = useInfiniteQuery({
    ...listQuery(['events', query], (cursor, signal) =>
      unwrap(
        api.GET('/api/v1/operations/events', {
          params: { query: { ...query, limit: 50, fields: [...SHOWN], cursor } },
          signal,
        }),
      ),
    ),
    placeholderData: keepPreviousData,
  });
  return (
    <section className="mx-auto grid w-full max-w-3xl px-3 py-4 sm:px-6">
      <h2 className="mb-1.5 px-1 text-sm font-semibold text-soft">{heading}</h2>
      <Loaded query={events} label={t('calendar.waiting')}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon={<CalendarX2 size={32} aria-hidden />} title={empty} />
          ) : (
            <ul className="overflow-hidden rounded-card border border-line bg-card">
              {(rows as Listed[]).map((event) => (
                <Line key={event.id} event={inLanguage(event)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <MoreButton query={events} />
    </section>
  );
}

function Line({ event }: { event: Listed }) {
  const { data: options } = useQuery(optionsQuery);
  const type = options?.event_types.find(({ value }) => value === event.event_type);
  const { days, times } = scheduleText(event);
  return (
    <EventLine
      id={event.id}
      color={type?.color}
      event={event}
      icon={type?.icon ?? ''}
      when={[days, times].filter(Boolean).join(', ')}
      location={event.location_name}
      featured={event.is_featured}
      registered={event.registered}
    />
  );
}
