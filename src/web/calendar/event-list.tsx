import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { CalendarX2 } from 'lucide-react';
import { listQuery, useEventType } from '../api/queries.ts';
import type { Entry, ListQuery, SchoolEvent } from '../api/types.ts';
import { LISTED } from '../event-parts/find-events.ts';
import { ButtonLink } from '../parts/button.tsx';
import { Empty, List } from '../parts/page.tsx';
import { addDays, whenText } from '../texts/dates.ts';
import { inLanguage } from '../texts/in-language.ts';
import { t } from '../texts/texts.ts';
import { EventLine } from './event-line.tsx';
import { type CalendarSearch, countFilters, filtersOf } from './search.ts';

const SHOWN = [...LISTED, 'location_name', 'location', 'is_featured', 'registered'] as const;

type Listed = Pick<SchoolEvent, 'id' | Exclude<(typeof SHOWN)[number], 'registered'>> & Pick<Entry, 'registered'>;

/** A list instead of a view: the drafts, which only staff see, or the events that the filters find in any month. */
export default function EventLists({ search, today }: { search: CalendarSearch; today: string }) {
  if (search.drafts)
    return (
      <>
        <EventList
          query={{ ...filtersOf(search), status: ['draft'] }}
          empty={t(countFilters(search) > 1 ? 'found.none' : 'empty.noDrafts')}
        />
        <ButtonLink to="/events/copy" className="mb-6 self-center">
          {t('copy.title')}
        </ButtonLink>
      </>
    );
  const { start_date_from, start_date_to, ...filters } = filtersOf(search);
  if (start_date_from || start_date_to)
    return <EventList query={{ ...filters, start_date_from, start_date_to }} empty={t('found.none')} />;
  return (
    <>
      <EventList
        heading={t('quick.upcoming')}
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

function EventList({ heading, query, empty }: { heading?: string; query: ListQuery; empty: string }) {
  const events = useInfiniteQuery({
    ...listQuery(['events', query], '/api/v1/operations/events', {
      query: { ...query, limit: 50, fields: [...SHOWN] },
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <section className="mx-auto grid w-full max-w-3xl px-3 py-4 sm:px-6">
      {heading && <h2 className="mb-1.5 px-1 text-sm font-semibold text-soft">{heading}</h2>}
      <List query={events} none={<Empty icon={CalendarX2} title={empty} />}>
        {(event) => <Line key={event.id} event={inLanguage(event as Listed)} />}
      </List>
    </section>
  );
}

function Line({ event }: { event: Listed }) {
  const type = useEventType(event);
  return (
    <EventLine
      id={event.id}
      color={type?.color}
      event={event}
      icon={type?.icon ?? ''}
      when={whenText(event)}
      location={event.location?.name ?? event.location_name}
      featured={event.is_featured}
      registered={event.registered}
    />
  );
}
