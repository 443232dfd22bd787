import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { pendingMove } from '../actions/move.ts';
import { MoveQuestion } from '../actions/move-question.tsx';
import { calendarQuery, useMay, useMe, useSchoolZone } from '../api/queries.ts';
import { useToday } from '../api/use-now.ts';
import { useIsPhone } from '../app/media.ts';
import { usePrinting } from '../app/printing.ts';
import { toneOf } from '../event-parts/badge.tsx';
import { openPalette } from '../palette/button.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { lazily } from '../parts/lazily.tsx';
import { announce } from '../parts/notices.tsx';
import { ErrorMessage, Skeleton, usePageTitle } from '../parts/page.tsx';
import { useStore } from '../parts/store.ts';
import { addDays, addMonths, dayRange, longDay, monthName, shortRange } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';
import { Agenda, DayList } from './agenda.tsx';
import { CardHost } from './card-host.tsx';
import { Filters } from './filters.tsx';
import { Month } from './grid/month.tsx';
import { PrintedMonth } from './grid/printed-month.tsx';
import type { Slot } from './grid/slot.ts';
import { Timeline } from './grid/timeline.tsx';
import { MiniMonth } from './mini-month.tsx';
import { NoEvents } from './no-events.tsx';
import { byDay, inOrder, isOn, placeEntry } from './placing.ts';
import { type CalendarSearch, filtersOf, lastSearch, NO_LIST, type View } from './search.ts';
import { Shortcuts } from './shortcuts.tsx';
import { Toolbar } from './toolbar.tsx';

const EventList = lazily(() => import('./event-list.tsx'));

/** Wait before prefetching the neighbours, so that the current view paints first. */
const AHEAD_MS = 300;

/** The date `by` steps of this view away. */
const stepped = (view: View, date: string, by: number): string =>
  view === 'month' ? addMonths(date, by) : addDays(date, by * (view === 'week' ? 7 : view === 'day' ? 1 : 30));

function CalendarPage() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const client = useQueryClient();
  const isPhone = useIsPhone();
  const isPrinting = usePrinting();
  const me = useMe();
  const pending = useStore(pendingMove);
  const [opened, setOpened] = useState<string | null>(null);
  const zone = useSchoolZone();
  const today = useToday();
  const wanted = search.view ?? (isPhone ? 'agenda' : 'month');
  // A phone has no room for a timeline.
  const view: View = isPhone && (wanted === 'week' || wanted === 'day') ? 'agenda' : wanted;
  const date = search.date ?? today;
  const query = { view, date, ...filtersOf(search) };
  const isList = search.drafts || search.q !== undefined || (search.from !== undefined && search.to !== undefined);
  const { data, error, isPlaceholderData, refetch } = useQuery({ ...calendarQuery(query), enabled: !isList });
  const shown = isList ? undefined : data;

  const mayCreate = useMay('create_event');
  const set = useCallback(
    (change: Partial<CalendarSearch>) =>
      void navigate({ to: '/events', search: (before) => ({ ...before, ...change }) }),
    [navigate],
  );
  const go = (to: string) => set({ date: to });
  const show = (next: View) => set({ ...(isList && NO_LIST), view: next });
  const onCreate = mayCreate ? (slot: Slot) => void navigate({ to: '/events/new', search: slot }) : undefined;

  const all = useMemo(() => {
    const moved = (shown?.entries ?? []).map((entry) =>
      pending?.event.id === entry.id ? { ...entry, ...pending.to } : entry,
    );
    return moved.map((entry) => placeEntry(entry, shown?.timezone ?? '')).sort(inOrder);
  }, [shown, pending]);
  const days = useMemo(() => (shown ? byDay(all, shown.from, shown.to) : []), [all, shown]);

  const rangeOf = isPhone ? shortRange : dayRange;
  const period =
    view === 'day' ? longDay(date) : view === 'month' || !shown ? monthName(date) : rangeOf(shown.from, shown.to);
  const heading = isList ? t(search.drafts ? 'filter.drafts' : 'found.all') : period;
  usePageTitle(`${heading} · ${t('nav.calendar')}`);
  const count = all.length;
  useEffect(() => {
    if (shown && !isPlaceholderData) announce(t('calendar.shows', { heading, count }));
  }, [heading, count, shown, isPlaceholderData]);

  useEffect(() => lastSearch.set(search), [search]);

  // Prefetch the next and the previous view.
  useEffect(() => {
    if (!shown || isPlaceholderData) return;
    const timer = setTimeout(() => {
      for (const by of [1, -1])
        void client.prefetchQuery(calendarQuery({ view, date: stepped(view, date, by), ...filtersOf(search) }));
    }, AHEAD_MS);
    return () => clearTimeout(timer);
  }, [shown, isPlaceholderData, client, view, date, search]);

  const onKey = (key: string) => {
    const views: Record<string, View> = { m: 'month', w: 'week', d: 'day', a: 'agenda' };
    if (views[key]) return show(views[key]);
    if (key === 'c' && mayCreate) return void navigate({ to: '/events/new' });
    if (key === '/') return openPalette();
    if (isList) return;
    if (key === 't') return go(today);
    if (key === 'j') return go(stepped(view, date, 1));
    if (key === 'k') return go(stepped(view, date, -1));
  };

  const grid = shown && { from: shown.from, date, today, all, onDay: go, onMore: setOpened, onCreate };
  const paper = view === 'month' ? 'landscape' : undefined;
  const onDay = (day: string) => all.filter((one) => isOn(one, day));
  const isEmpty = shown && !isPlaceholderData && all.length === 0;
  const nothing = shown && <NoEvents search={search} view={view} shown={shown} onClear={set} />;
  return (
    <>
      <div data-print="no" className="grid gap-2.5 border-b border-line bg-card px-3 py-3 sm:px-6">
        <Toolbar
          view={isList ? null : view}
          date={date}
          today={today}
          heading={heading}
          onView={show}
          onDate={go}
          onStep={(by) => go(stepped(view, date, by))}
        />
        <Filters search={search} onChange={set} />
      </div>
      <p data-print={paper} className="hidden px-2 text-xl font-semibold print:block">
        {me?.school.name} · {heading}
      </p>
      <div
        // Reaches the bottom of the window, also behind the phone's navigation.
        // Dimmed while it still shows another month.
        className="flex min-h-0 grow flex-col bg-card aria-busy:opacity-60 aria-busy:transition-opacity aria-busy:delay-300 -mb-(--nav) pb-(--nav) print:bg-white"
        data-print={paper}
        aria-busy={!isList && (isPlaceholderData || !shown)}
      >
        {isList ? (
          <EventList search={search} today={today} />
        ) : error ? (
          <div className="px-4">
            <ErrorMessage error={error} onRetry={() => void refetch()} />
          </div>
        ) : !shown || !grid ? (
          <div className="mx-auto w-full max-w-3xl px-6">
            <Skeleton lines={8} />
          </div>
        ) : view === 'agenda' ? (
          isEmpty ? (
            nothing
          ) : (
            <Agenda days={days} today={today} />
          )
        ) : view === 'month' && isPrinting ? (
          <PrintedMonth from={shown.from} to={shown.to} month={date} all={all} />
        ) : view === 'month' && isPhone ? (
          <div className="px-3 py-3">
            <MiniMonth
              month={date}
              chosen={date}
              today={today}
              onMonth={go}
              onChoose={go}
              dots={(day) => onDay(day).map(({ entry }) => toneOf(entry.color))}
            />
            <h2 className="mt-4 mb-1.5 px-1 text-sm font-semibold text-soft first-letter:uppercase">{longDay(date)}</h2>
            <DayList day={date} entries={onDay(date)} />
          </div>
        ) : (
          <>
            {view === 'month' ? (
              <Month {...grid} to={shown.to} />
            ) : (
              <Timeline key={view} {...grid} days={view === 'week' ? 7 : 1} zone={zone} />
            )}
            {isEmpty && nothing}
          </>
        )}
        {shown?.truncated && <p className="px-4 py-2 text-sm text-warn">{t('calendar.truncated')}</p>}
      </div>
      {opened && (
        <Dialog
          title={longDay(opened)}
          onClose={() => setOpened(null)}
          actions={onCreate && <Button onClick={() => onCreate({ date: opened })}>{t('nav.new')}</Button>}
        >
          <DayList day={opened} entries={onDay(opened)} />
        </Dialog>
      )}
      <CardHost />
      <MoveQuestion />
      <Shortcuts run={onKey} />
    </>
  );
}

export const Route = createLazyRoute('/signed-in/events')({ component: CalendarPage });
