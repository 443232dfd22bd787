import { MapPin, Repeat, Star } from 'lucide-react';
import { useDeferredValue, useMemo } from 'react';
import { StatusBadge, toneOf } from '../parts/badge.tsx';
import { EventLink } from '../parts/event-link.tsx';
import { Icon } from '../parts/icon.tsx';
import { clockTime, longDay, timeAt } from '../texts/dates.ts';
import { t, word } from '../texts/texts.ts';
import { cardHandlers } from './card-anchor.ts';
import type { Placed } from './placing.ts';

type Day = { day: string; entries: Placed[] };

/** Entries that fill a window. */
const FIRST_PAINT = 10;
let isFirstList = true;

/** The events as a list by day. */
export function Agenda({ days, today }: { days: readonly Day[]; today: string }) {
  const firstScreen = useMemo(() => firstEntries(days), [days]);
  // The first list of a visit paints one screen before the rest; later ones render whole so that Back restores the scroll.
  const shown = useDeferredValue(days, isFirstList ? firstScreen : days);
  isFirstList = false;
  return (
    <div className="mx-auto w-full max-w-3xl px-3 py-4 sm:px-6">
      {shown.map(({ day, entries }) => (
        <section
          key={day}
          aria-labelledby={`day-${day}`}
          className="mb-5 [contain-intrinsic-size:auto_20rem] [content-visibility:auto] print:[content-visibility:visible]"
        >
          <h2
            id={`day-${day}`}
            className={`mb-1.5 flex items-baseline gap-2 px-1 text-sm font-semibold ${day === today ? 'text-accent-text' : 'text-soft'}`}
          >
            <span className="inline-block first-letter:uppercase">{longDay(day)}</span>
            {day === today && <span className="font-normal">{t('calendar.today')}</span>}
          </h2>
          <DayList day={day} entries={entries} />
        </section>
      ))}
    </div>
  );
}

function firstEntries(days: readonly Day[]): Day[] {
  let count = 0;
  return days.filter(({ entries }) => {
    const isAmong = count < FIRST_PAINT;
    count += entries.length;
    return isAmong;
  });
}

/** The entries of one day, one per line. */
export function DayList({ day, entries }: { day: string; entries: readonly Placed[] }) {
  return (
    <ul className="overflow-hidden rounded-card border border-line bg-card">
      {entries.map((placed) => (
        <Line key={placed.entry.id} placed={placed} day={day} />
      ))}
    </ul>
  );
}

const clockOf = (minutes: number): string => clockTime(timeAt(minutes));

/** The entry's times on one day; of several days, the start on the first and the end on the last. */
function timesOn({ entry, first, last, start, end }: Placed, day: string): string {
  if (entry.all_day || (day !== first && day !== last)) return t('calendar.allDay');
  if (first === last) return end > start ? `${clockOf(start)}–${clockOf(end)}` : clockOf(start);
  return day === first
    ? t('calendar.fromTime', { time: clockOf(start) })
    : t('calendar.untilTime', { time: clockOf(end) });
}

function Line({ placed, day }: { placed: Placed; day: string }) {
  const { entry } = placed;
  const card = cardHandlers(entry.id, true);
  const isOff = entry.status === 'cancelled';
  return (
    <li className="border-b border-line last:border-b-0">
      <EventLink
        id={entry.id}
        data-entry={entry.id}
        {...card}
        data-color={toneOf(entry.color)}
        // On a phone the status goes below, to leave room for the title.
        className="grid min-h-14 grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-1 px-3 py-2 hover:bg-hover sm:grid-cols-[auto_minmax(0,1fr)_auto]"
      >
        <span className="grid size-9 shrink-0 place-items-center self-start rounded-lg bg-(--tone-soft) text-(--tone-text) sm:self-center">
          <Icon name={entry.icon} size={18} />
        </span>
        <span className="min-w-0">
          <span className={`block font-medium ${isOff ? 'line-through' : ''}`}>
            {entry.full_title ?? entry.title}
            {entry.featured && (
              <Star
                size={13}
                role="img"
                aria-label={t('calendar.featured')}
                className="ml-1.5 inline fill-current text-warn"
              />
            )}
            {entry.recurring && (
              <Repeat size={13} role="img" aria-label={t('calendar.recurring')} className="ml-1.5 inline text-soft" />
            )}
          </span>
          <span className="flex flex-wrap items-center gap-x-3 text-sm text-soft">
            <span className="tabular-nums">{timesOn(placed, day)}</span>
            <span>{word('type', entry.event_type)}</span>
            {entry.location_name && (
              <span className="flex min-w-0 items-center gap-1">
                <MapPin size={13} aria-hidden className="shrink-0" />
                <span className="truncate">{entry.location_name}</span>
              </span>
            )}
          </span>
        </span>
        {entry.status !== 'published' && (
          <span className="flex max-sm:col-start-2">
            <StatusBadge status={entry.status} />
          </span>
        )}
      </EventLink>
    </li>
  );
}
