import { useSchoolZone } from '../api/queries.ts';
import { usePrinting } from '../app/media.ts';
import { toneOf } from '../event-parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { lazily } from '../parts/lazily.tsx';
import { ErrorMessage, Skeleton } from '../parts/page.tsx';
import { dayNumber, daysFrom, longDay, weekdayLong } from '../texts/dates.ts';
import { capital, t, word } from '../texts/texts.ts';
import { Agenda, DayList } from './agenda.tsx';
import { type GridProps, Month } from './grid/month.tsx';
import { MiniMonth } from './mini-month.tsx';
import { entriesOn, mondaysOf, type Placed } from './placing.ts';
import type { CalendarSearch } from './search.ts';
import { timeOn } from './times.ts';
import { type ShownCalendar, stepped } from './use-calendar.ts';

const EventLists = lazily(() => import('./event-list.tsx'));
const TimeGrid = lazily(() => import('./grid/time-grid.tsx'));
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
  if (isList) return <EventLists search={search} today={today} />;
  if (!shown)
    return (
      <div className="mx-auto w-full max-w-3xl px-6">
        {error ? <ErrorMessage error={error} onRetry={retry} /> : <Skeleton />}
      </div>
    );
  const nothing = isReady && all.length === 0 && (
    <NoEvents search={search} view={view} shown={shown} onSearch={onSearch} />
  );
  if (view === 'agenda' || (isPrinting && view === 'day'))
    return (
      <>
        {nothing || <Agenda all={all} from={shown.from} to={shown.to} today={today} />}
        {/* Other days have a button of their own, so that the focus is back at their beginning. */}
        <Button key={date} className="mb-6 self-center" onClick={() => handlers.onDay(stepped(view, date, 1))}>
          {t('calendar.nextDays')}
        </Button>
      </>
    );
  if (isPrinting)
    return <PrintedWeeks from={shown.from} to={shown.to} month={view === 'month' ? date : null} all={all} />;
  const grid = { from: shown.from, date, today, all, ...handlers };
  if (view !== 'month')
    return (
      <>
        <TimeGrid key={view} {...grid} days={view === 'week' ? 7 : 1} zone={zone} />
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

type PhoneMonthProps = Pick<ShownCalendar, 'all' | 'date' | 'today'> & { onDay: (day: string) => void };

/** A small month with the list of the chosen day below it. */
const PhoneMonth = ({ all, date, today, onDay }: PhoneMonthProps) => (
  <div className="px-3 py-3">
    <MiniMonth
      month={date}
      chosen={date}
      today={today}
      onMonth={onDay}
      onChoose={onDay}
      dots={(day) => entriesOn(all, day).map(({ entry }) => toneOf(entry.color))}
    />
    <h2 className="mt-4 mb-1.5 px-1 text-sm font-semibold text-soft">{capital(longDay(date))}</h2>
    <DayList day={date} entries={entriesOn(all, date)} />
  </div>
);

type PrintedWeeksProps = {
  from: string;
  to: string;
  /** a day of the month whose other days are gray; a week has none */
  month: string | null;
  all: readonly Placed[];
};

/** A month or a week on paper: every entry with its full title, on each of its days; a week grows as high as it needs. */
const PrintedWeeks = ({ from, to, month, all }: PrintedWeeksProps) => (
  <table className="w-full table-fixed border-collapse text-left text-xs">
    <thead>
      <tr>
        {daysFrom(from).map((day) => (
          <th key={day} className="border border-line px-1.5 py-1 font-semibold">
            {capital(weekdayLong(day))}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {mondaysOf(from, to).map((monday) => (
        <tr key={monday} className="h-20 break-inside-avoid align-top">
          {daysFrom(monday).map((day) => (
            <td key={day} className="border border-line px-1.5 py-1">
              <p className={`font-semibold ${month && day.slice(0, 7) !== month.slice(0, 7) ? 'text-soft' : ''}`}>
                {dayNumber(day)}
              </p>
              <ul>
                {entriesOn(all, day).map((placed) => {
                  const { id, status, title, full_title } = placed.entry;
                  return (
                    <li key={id} className={`mt-1 ${status === 'cancelled' ? 'line-through' : ''}`}>
                      <span className="tabular-nums">{timeOn(placed, day)}</span> {full_title ?? title}
                      {status === 'postponed' && ` (${word('status', status)})`}
                    </li>
                  );
                })}
              </ul>
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
