import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Repeat, Star } from 'lucide-react';
import { useState } from 'react';
import { Ask } from '../acknowledgements/ask.tsx';
import { Acknowledgements } from '../acknowledgements/report.tsx';
import { ActionButtons } from '../actions/buttons.tsx';
import { eventQuery, useEventOptions, useEventType, useMay, useMe } from '../api/queries.ts';
import type { SchoolEvent } from '../api/types.ts';
import { useIsPhone } from '../app/media.ts';
import { lastSearch } from '../calendar/search.ts';
import { Badges, toneOf } from '../event-parts/badge.tsx';
import { Icon } from '../event-parts/icon.tsx';
import { BackLink } from '../parts/button.tsx';
import { Loaded, Page } from '../parts/page.tsx';
import { Answers } from '../reports/answers.tsx';
import { Deliveries } from '../reports/deliveries.tsx';
import { capital, t, word } from '../texts/texts.ts';
import { Attachments, Audience, Description, Organizer, Where } from './about.tsx';
import { Banner } from './banner.tsx';
import { Attendees } from './registration/attendees.tsx';
import { RegistrationBox } from './registration/registration-box.tsx';
import { Schedule } from './schedule.tsx';
import { Timeline } from './timeline.tsx';

export default function EventPage() {
  const { id } = useParams({ from: '/signed-in/events/$id' });
  const query = useQuery(eventQuery(id));
  const event = query.data;
  return (
    <Page title={event?.title ?? ''}>
      <BackLink to="/events" search={{ ...lastSearch.get(), ...(event && { date: event.start_date }) }}>
        {t('nav.calendar')}
      </BackLink>
      <Loaded query={query}>{(event) => <Details event={event} />}</Loaded>
    </Page>
  );
}

function Details({ event }: { event: SchoolEvent }) {
  const manages = useMay('manage_registrations');
  const organizes = useMe()?.user_id === event.organizer_id;
  const [bar, setBar] = useState<HTMLDivElement | null>(null);
  const isPhone = useIsPhone();
  const isStaff = manages || organizes || event.allowed_actions.includes('edit');
  // Families often see no description and no records: then there is one column.
  const hasMore = isStaff || Boolean(event.description || event.image_url) || event.attachments.length > 0;
  return (
    <article className="grid gap-4">
      <Header event={event} isStaff={isStaff} />
      <Banner event={event} />
      {event.asks_acknowledgement && <Ask event_id={event.id} />}
      <div className={`grid items-start gap-4 ${hasMore ? 'lg:grid-cols-[minmax(0,1fr)_21rem]' : 'lg:max-w-xl'}`}>
        {/* Order on a phone: time, location and registration, then the description, then the rest. */}
        <div className={`contents gap-4 lg:row-start-1 lg:grid ${hasMore ? 'lg:col-start-2' : ''}`}>
          <Schedule event={event} />
          <Where event={event} />
          <RegistrationBox event={event} bar={isPhone ? bar : null} />
          <div className="grid gap-4 empty:hidden max-lg:order-1">
            {isStaff && <Attendees event={event} manages={manages} organizes={organizes} />}
            <Audience event={event} />
            <Organizer event={event} />
          </div>
        </div>
        <div className={`contents min-w-0 gap-4 lg:col-start-1 lg:row-start-1 ${hasMore ? 'lg:grid' : 'lg:hidden'}`}>
          <Description event={event} />
          <Attachments attachments={event.attachments} />
          <div data-print="no" className="grid min-w-0 gap-4 max-lg:order-1">
            {(manages || organizes) && <Answers about={{ kind: 'event', id: event.id }} />}
            {manages && event.asks_acknowledgement && (
              <Acknowledgements about={{ kind: 'event', id: event.id }} reminder={event.acknowledgement_reminder} />
            )}
            {manages && <Deliveries about={{ kind: 'event', ...event }} />}
            {isStaff && <Timeline id={event.id} />}
          </div>
        </div>
      </div>
      {/* Takes its place at the end of the page, so that it covers nothing there. */}
      <div
        ref={setBar}
        data-bar
        data-testid="bar"
        data-print="no"
        className="sticky bottom-(--nav) z-20 -mx-4 -mb-5 border-t border-line bg-card px-4 pt-3 pb-[max(0.75rem,calc(env(safe-area-inset-bottom)-var(--nav)))] empty:hidden"
      />
    </article>
  );
}

/** @param isStaff shows the status and the visibility even if they are the usual ones */
function Header({ event, isStaff }: { event: SchoolEvent; isStaff: boolean }) {
  const options = useEventOptions();
  const type = useEventType(event);
  const visibility = options?.visibility.find(({ value }) => value === event.visibility);
  return (
    <header className="grid gap-3">
      {event.banner_url && (
        <img src={event.banner_url} alt="" className="max-h-56 w-full rounded-card border border-line object-cover" />
      )}
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="flex min-w-0 grow basis-80 gap-3.5 max-sm:gap-3">
          <span
            data-color={toneOf(type?.color)}
            className="mt-0.5 grid size-12 shrink-0 place-items-center rounded-xl bg-(--tone-soft) text-(--tone-text) max-sm:size-10"
          >
            {type && <Icon name={type.icon} size={24} />}
          </span>
          <div className="min-w-0">
            <h1 className="text-xl leading-snug font-semibold sm:text-2xl">{event.title}</h1>
            {event.original_title && (
              <p className="text-sm text-soft">{t('event.translated', { title: event.original_title })}</p>
            )}
            <div className="mt-1.5 flex flex-wrap items-center gap-1.5 text-sm text-soft">
              <Badges event={event} isStaff={isStaff} />
              {event.is_featured && (
                <span className="flex items-center gap-1 px-1 wrap-anywhere">
                  <Star size={14} className="fill-current text-warn" />
                  {capital(t('calendar.featured'))}
                </span>
              )}
              {(event.is_recurring || event.parent_event_id) && (
                <Repeat size={14} role="img" aria-label={t('calendar.recurring')} />
              )}
              {isStaff && visibility && (
                <span className="flex items-center gap-1 px-1">
                  <Icon name={visibility.icon} size={14} />
                  {word('visibility', visibility.value)}
                </span>
              )}
            </div>
          </div>
        </div>
        <div data-print="no" className="flex flex-wrap items-center gap-2">
          <ActionButtons event={event} />
        </div>
      </div>
      {event.tags.length > 0 && (
        <ul aria-label={t('filter.tags')} className="flex flex-wrap gap-1.5 text-sm">
          {event.tags.map((tag) => (
            <li key={tag}>
              <Link
                to="/events"
                search={{ view: 'agenda', tags: [tag] }}
                className="inline-block rounded-full border border-line bg-card px-2.5 py-0.5 text-soft hover:bg-hover"
              >
                {tag}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </header>
  );
}
