import { useMemo } from 'react';
import { useSchoolZone } from '../api/queries.ts';
import { usePrinting } from '../app/printing.ts';
import { toneOf } from '../event-parts/badge.tsx';
import { lazily } from '../parts/lazily.tsx';
import { ErrorMessage, Skeleton } from '../parts/page.tsx';
import { longDay } from '../texts/dates.ts';
import { Agenda, DayList } from './agenda.tsx';
import { type GridProps, Month } from './grid/month.tsx';
import { PrintedWeeks } from './grid/printed-weeks.tsx';
import { Timeline } from './grid/timeline.tsx';
import { MiniMonth } from './mini-month.tsx';
import { byDay, entriesOn } from './placing.ts';
import type { CalendarSearch } from './search.ts';
import type { ShownCalendar } from './use-calendar.ts';

const EventList = lazily(() => import('./event-list.tsx'));
const NoEvents = lazily(() => import('./no-events.tsx'));

type Props = Pick<GridProps, 'onDay' | 'onMore' | 'onCreate'> & {
  search: CalendarSearch;
  calendar: ShownCalendar;
  onSearch: (change: Partial<CalendarSearch>) => void;
};

/** The part below the toolbar: a list of events, or the view that the address names. */
export function Body({ search, calendar, onSearch, ...handlers }: Props) {
  const isPrinting = usePrinting();
  const zone = useSchoolZone();
  const { view, date, today, isList, shown, isReady, all, error, retry } = calendar;
  if (isList) return <EventList search={search} today={today} />;
  if (error)
    return (
      <div className="px-4">
        <ErrorMessage error={error} onRetry={retry} />
      </div>
    );
  if (!shown)
    return (
      <div className="mx-auto w-full max-w-3xl px-6">
        <Skeleton lines={8} />
      </div>
    );
  const nothing = isReady && all.length === 0 && (
    <NoEvents search={search} view={view} shown={shown} onClear={onSearch} />
  );
  if (view === 'agenda' || (isPrinting && view === 'day')) return nothing || <Days {...calendar} shown={shown} />;
  if (isPrinting)
    return <PrintedWeeks from={shown.from} to={shown.to} month={view === 'month' ? date : null} all={all} />;
  const grid = { from: shown.from, date, today, all, ...handlers };
  if (view !== 'month')
    return (
      <>
        <Timeline key={view} {...grid} days={view === 'week' ? 7 : 1} zone={zone} />
        {nothing}
      </>
    );
  if (calendar.isPhone) return <PhoneMonth {...calendar} onDay={handlers.onDay} />;
  return (
    <>
      <Month {...grid} to={shown.to} />
      {nothing}
    </>
  );
}

type Days = Pick<ShownCalendar, 'all' | 'today'> & { shown: { from: string; to: string } };

function Days({ all, today, shown: { from, to } }: Days) {
  const days = useMemo(() => byDay(all, from, to), [all, from, to]);
  return <Agenda days={days} today={today} />;
}

type PhoneMonthProps = Pick<ShownCalendar, 'all' | 'date' | 'today'> & { onDay: (day: string) => void };

/** A small month with the list of the chosen day below it. */
function PhoneMonth({ all, date, today, onDay }: PhoneMonthProps) {
  return (
    <div className="px-3 py-3">
      <MiniMonth
        month={date}
        chosen={date}
        today={today}
        onMonth={onDay}
        onChoose={onDay}
        dots={(day) => entriesOn(all, day).map(({ entry }) => toneOf(entry.color))}
      />
      <h2 className="mt-4 mb-1.5 px-1 text-sm font-semibold text-soft first-letter:uppercase">{longDay(date)}</h2>
      <DayList day={date} entries={entriesOn(all, date)} />
    </div>
  );
}
