import { MapPin, Star } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Entry, SchoolEvent } from '../api/types.ts';
import { capital, t, word } from '../texts/texts.ts';
import { Registered, StatusBadge } from './badge.tsx';
import { Icon } from './icon.tsx';

/** Columns of a line that shows an event. On a phone the status goes below; with large text there is no icon either. */
export const rowClass = '@container grid min-h-14 items-center gap-x-3 gap-y-1 px-3 py-2 hover:bg-hover';

type Props = {
  event: Pick<SchoolEvent, 'title' | 'event_type' | 'status'>;
  icon: string;
  /** days or times */
  when: string;
  location?: string | null;
  featured?: boolean;
  /** further marks behind the title */
  marks?: ReactNode;
  /** registrations of the reader’s family */
  registered?: Entry['registered'];
};

/** Icon, title and details of an event, and its status unless published: cells of a line with `rowClass`. */
export const EventRow = ({ event, icon, when, location, featured, marks, registered }: Props) => (
  <>
    <span className="grid size-9 shrink-0 @max-[14rem]:hidden place-items-center self-start rounded-lg bg-(--tone-soft) text-(--tone-text) sm:self-center">
      <Icon name={icon} size={18} />
    </span>
    <span className="col-start-2 min-w-0">
      <span className={`block font-medium ${event.status === 'cancelled' ? 'line-through' : ''}`}>
        {event.title}
        {featured && (
          <Star
            size={13}
            role="img"
            aria-label={t('calendar.featured')}
            className="ml-1.5 inline fill-current text-warn"
          />
        )}
        {marks}
      </span>
      <span className="flex flex-wrap items-center gap-x-3 text-sm text-soft">
        <span className="tabular-nums">{capital(when)}</span>
        <span>{word('type', event.event_type)}</span>
        {location && (
          <span className="flex min-w-0 items-center gap-1">
            <MapPin size={13} className="shrink-0" />
            <span className="truncate">{location}</span>
          </span>
        )}
      </span>
      {registered && <Registered status={event.status} registered={registered} />}
    </span>
    {event.status !== 'published' && (
      <span className="flex max-sm:order-1 max-sm:col-start-2">
        <StatusBadge status={event.status} />
      </span>
    )}
  </>
);
