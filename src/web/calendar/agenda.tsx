import { Repeat } from 'lucide-react';
import { memo, useDeferredValue, useMemo } from 'react';
import { cardList } from '../parts/page.tsx';
import { longDay } from '../texts/dates.ts';
import { capital, t } from '../texts/texts.ts';
import { EventLine } from './event-line.tsx';
import { byDay, type Placed } from './placing.ts';
import { timesOn } from './times.ts';

type Day = { day: string; entries: Placed[] };

/** Entries that fill a window. */
const FIRST_PAINT = 10;
let isFirstList = true;

type Props = { all: readonly Placed[]; from: string; to: string; today: string };

/** The events as a list by day. */
export const Agenda = memo(function Agenda({ all, from, to, today }: Props) {
  const days = useMemo(() => byDay(all, from, to), [all, from, to]);
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
            className={`mb-1.5 flex flex-wrap items-baseline gap-x-2 px-1 text-sm font-semibold ${day === today ? 'text-accent-text' : 'text-soft'}`}
          >
            <span>{capital(longDay(day))}</span>
            {day === today && <span className="font-normal">{t('calendar.today')}</span>}
          </h2>
          <DayList day={day} entries={entries} />
        </section>
      ))}
    </div>
  );
});

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
  if (entries.length === 0) return <p className="px-1 py-4 text-soft">{t('calendar.nothingThatDay')}</p>;
  return (
    <ul className={cardList}>
      {entries.map((placed) => (
        <Line key={placed.entry.id} placed={placed} day={day} />
      ))}
    </ul>
  );
}

function Line({ placed, day }: { placed: Placed; day: string }) {
  const { entry } = placed;
  return (
    <EventLine
      id={entry.id}
      color={entry.color}
      event={{ ...entry, title: entry.full_title ?? entry.title }}
      icon={entry.icon}
      when={timesOn(placed, day)}
      location={entry.location_name}
      featured={entry.featured}
      registered={entry.registered}
      marks={
        entry.recurring && (
          <Repeat size={13} role="img" aria-label={t('calendar.recurring')} className="ml-1.5 inline text-soft" />
        )
      }
    />
  );
}
