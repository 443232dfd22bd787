import { Link } from '@tanstack/react-router';
import { ChevronDown, ExternalLink, MapPin, Star } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { PublicEvent } from '../api/types.ts';
import { locationLines } from '../event/location-lines.ts';
import { placesText } from '../event/places-text.ts';
import { StatusBadge, toneOf } from '../parts/badge.tsx';
import { buttonClass } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { momentIn, scheduleText } from '../texts/dates.ts';
import { language, t, word } from '../texts/texts.ts';

type Props = {
  event: PublicEvent;
  type: { icon: string; color: string | null } | undefined;
  /** the event of the shared link: starts unfolded */
  isOpen?: boolean;
};

/** An event as a line that unfolds its details. */
export function EventLine({ event, type, isOpen = false }: Props) {
  const ref = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!isOpen || !ref.current) return;
    ref.current.open = true;
    ref.current.scrollIntoView({ block: 'center' });
  }, [isOpen]);
  const { days, times } = scheduleText(event);
  const places = locationLines(event);
  const isOff = event.status === 'cancelled';
  const isLong = event.start_date !== event.end_date;
  return (
    <li className="border-b border-line last:border-b-0">
      <details ref={ref} className="group">
        <summary
          data-color={toneOf(type?.color)}
          // On a phone the status goes below, to leave room for the title.
          className="grid min-h-14 list-none grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 px-3 py-2 sm:grid-cols-[auto_minmax(0,1fr)_auto_auto] hover:bg-hover [&::-webkit-details-marker]:hidden"
        >
          <span className="grid size-9 shrink-0 place-items-center rounded-lg bg-(--tone-soft) text-(--tone-text)">
            <Icon name={type?.icon ?? ''} size={18} />
          </span>
          <span className="min-w-0">
            <span className={`block font-medium ${isOff ? 'line-through' : ''}`}>
              {event.title}
              {event.is_featured && (
                <Star
                  size={13}
                  role="img"
                  aria-label={t('calendar.featured')}
                  className="ml-1.5 inline fill-current text-warn"
                />
              )}
            </span>
            <span className="flex flex-wrap gap-x-3 text-sm text-soft">
              <span className="tabular-nums">{isLong ? days : (times ?? t('calendar.allDay'))}</span>
              <span>{word('type', event.event_type)}</span>
              {places[0] && (
                <span className="flex min-w-0 items-center gap-1">
                  <MapPin size={13} aria-hidden className="shrink-0" />
                  <span className="truncate">{places[0]}</span>
                </span>
              )}
            </span>
          </span>
          {event.status !== 'published' && (
            <span className="flex max-sm:order-1 max-sm:col-start-2">
              <StatusBadge status={event.status} />
            </span>
          )}
          <ChevronDown
            size={18}
            aria-hidden
            data-print="no"
            className="shrink-0 text-soft transition-transform group-open:rotate-180 sm:col-start-4"
          />
        </summary>
        <More event={event} days={days} times={times} places={places} />
      </details>
    </li>
  );
}

type MoreProps = { event: PublicEvent; days: string; times: string | null; places: readonly string[] };

function More({ event, days, times, places }: MoreProps) {
  const { cost, currency, registration_type, registration_deadline, registration_url, timezone } = event;
  const price =
    cost && currency ? new Intl.NumberFormat(language(), { style: 'currency', currency }).format(cost) : null;
  return (
    <div className="grid gap-2 px-3 pb-4 sm:pl-15">
      <p className="text-soft">{[days, times].filter(Boolean).join(', ')}</p>
      {places.length > 0 && <p className="text-soft">{places.join(' · ')}</p>}
      {event.description && <p className="max-w-prose wrap-break-word whitespace-pre-line">{event.description}</p>}
      {price && <p>{t('event.cost', { cost: price })}</p>}
      {registration_type !== 'none' && (
        <div className="grid justify-items-start gap-2">
          <p className="text-soft">
            {[
              event.max_attendees === null
                ? `${t('event.registration')}: ${word('registration', registration_type)}`
                : placesText(event),
              registration_deadline && t('register.until', { when: momentIn(registration_deadline, timezone) }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
          {event.status === 'published' && (
            <div data-print="no">
              {registration_url ? (
                <a href={registration_url} target="_blank" rel="noreferrer" className={buttonClass('main')}>
                  <ExternalLink size={16} aria-hidden />
                  {t('register.external')}
                </a>
              ) : (
                <Link to="/events/$id" params={{ id: event.id }} className={buttonClass('main')}>
                  {t('public.register')}
                </Link>
              )}
            </div>
          )}
        </div>
      )}
    </div>
  );
}
