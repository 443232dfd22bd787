import { ChevronDown, ExternalLink } from 'lucide-react';
import type { PublicEvent } from '../api/types.ts';
import { isFramed } from '../app/media.ts';
import { locationLines, placesText, priceText } from '../event/event-texts.ts';
import { toneOf } from '../event-parts/badge.tsx';
import { EventRow, rowClass } from '../event-parts/event-row.tsx';
import { ButtonAnchor, ButtonLink } from '../parts/button.tsx';
import { LinkedText } from '../parts/linked-text.tsx';
import { isUndecided, momentIn, scheduleText, whenText } from '../texts/dates.ts';
import { capital, t, word } from '../texts/texts.ts';

type Props = {
  event: PublicEvent;
  type: { icon: string; color: string | null } | undefined;
  /** the event of the shared link: starts unfolded */
  isOpen?: boolean;
};

/** An event as a line that unfolds its details. */
export function EventLine({ event, type, isOpen = false }: Props) {
  const { days, times } = scheduleText(event);
  const places = locationLines(event);
  const onItsDay = event.start_date === event.end_date ? (times ?? t('calendar.allDay')) : days;
  return (
    <li>
      <details ref={isOpen ? intoView : undefined} open={isOpen} className="group">
        <summary
          data-color={toneOf(type?.color)}
          className={`${rowClass} list-none grid-cols-[auto_minmax(0,1fr)_auto] sm:grid-cols-[auto_minmax(0,1fr)_auto_auto] [&::-webkit-details-marker]:hidden`}
        >
          <EventRow
            event={event}
            icon={type?.icon ?? ''}
            when={isUndecided(event) ? whenText(event) : onItsDay}
            location={places[0]}
            featured={event.is_featured}
          />
          <ChevronDown
            size={18}
            aria-hidden
            data-print="no"
            className="shrink-0 text-soft transition-transform group-open:rotate-180 sm:col-start-4"
          />
        </summary>
        <More event={event} places={places} />
      </details>
    </li>
  );
}

const intoView = (line: HTMLElement | null): void => line?.scrollIntoView({ block: 'center' });

function More({ event, places }: { event: PublicEvent; places: readonly string[] }) {
  const { registration_type, registration_url, timezone } = event;
  const deadline = isUndecided(event) ? null : event.registration_deadline;
  const price = priceText(event);
  return (
    <div className="grid gap-2 px-3 pb-4 sm:pl-15">
      <p className="text-soft">{capital(whenText(event))}</p>
      {places.length > 0 && <p className="text-soft">{places.join(' · ')}</p>}
      {event.image_url && <img src={event.image_url} alt="" className="max-h-80 justify-self-start rounded-xl" />}
      {event.description && (
        <p className="max-w-prose whitespace-pre-line">
          <LinkedText text={event.description} />
        </p>
      )}
      {price && <p>{t('event.cost', { cost: price })}</p>}
      {registration_type !== 'none' && (
        <div className="grid justify-items-start gap-2">
          <p className="text-soft">
            {[
              event.max_attendees === null
                ? `${t('event.registration')}: ${word('registration', registration_type)}`
                : placesText(event),
              deadline && t('register.until', { when: momentIn(deadline, timezone) }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
          {event.status === 'published' && (
            <div data-print="no">
              {registration_url ? (
                <ButtonAnchor href={registration_url} target="_blank" rel="noreferrer" look="main" icon={ExternalLink}>
                  {t('register.external')}
                </ButtonAnchor>
              ) : (
                <ButtonLink
                  to="/events/$id"
                  params={{ id: event.id }}
                  target={isFramed() ? '_blank' : undefined}
                  look="main"
                >
                  {t('public.register')}
                </ButtonLink>
              )}
            </div>
          )}
        </div>
      )}
    </div>
  );
}
