import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@tanstack/react-store';
import { useEffect, useMemo } from 'react';
import { pendingMove } from '../actions/move.ts';
import { calendarQuery, firstDate, queryClient } from '../api/queries.ts';
import type { Entry } from '../api/types.ts';
import { useToday } from '../api/use-now.ts';
import { useIsPhone } from '../app/media.ts';
import { addDays, addMonths } from '../texts/dates.ts';
import { viewOf } from './first-view.ts';
import { inOrder, placeEntry } from './placing.ts';
import { type CalendarSearch, filtersOf, showsList, type View } from './search.ts';

/** Wait before prefetching the neighbours, so that the current view paints first. */
const AHEAD_MS = 300;

const DAYS = { week: 7, day: 1, agenda: 30 };

/** The date `by` steps of this view away. */
export const stepped = (view: View, date: string, by: number): string =>
  view === 'month' ? addMonths(date, by) : addDays(date, by * DAYS[view]);

type Range = { from: string; to: string };

/** The days of a week, a day or an agenda. */
export function daysOf(view: Exclude<View, 'month'>, date: string): Range {
  const from = firstDate({ view, date });
  return { from, to: addDays(from, DAYS[view] - 1) };
}

/** The days of a view once they are loaded; until then the loaded days, which may be those of another view. */
function shownOf(view: View, date: string, loaded: Range): Range {
  if (view === 'month') return loaded;
  const days = daysOf(view, date);
  return days.from >= loaded.from && days.to <= loaded.to ? days : loaded;
}

/**
 * The calendar at an address: its view, date and entries, an event that is being moved already at its new time. Nothing is
 * loaded while a list shows instead.
 */
export function useCalendar(search: CalendarSearch) {
  const isPhone = useIsPhone();
  const today = useToday();
  const pending = useSelector(pendingMove);
  const view = viewOf(search.view, isPhone);
  const date = search.date ?? today;
  const isList = showsList(search);
  const query = calendarQuery({ view, date, ...filtersOf(search) });
  const { data, error, isPlaceholderData, refetch } = useQuery({ ...query, enabled: !isList });
  const shown = isList || !data ? undefined : { ...data, ...shownOf(view, date, data) };
  const isReady = shown !== undefined && !isPlaceholderData;
  usePrefetchedNeighbours(search, view, date, isReady);
  const all = useMemo(() => {
    const movedTo = (entry: Entry) => (pending?.event.id === entry.id ? pending.to : undefined);
    return (data?.entries ?? []).map((entry) => placeEntry(entry, data?.timezone ?? '', movedTo(entry))).sort(inOrder);
  }, [data, pending]);
  return { view, date, today, isPhone, isList, shown, isReady, all, error, retry: () => void refetch() };
}

export type ShownCalendar = ReturnType<typeof useCalendar>;

function usePrefetchedNeighbours(search: CalendarSearch, view: View, date: string, isReady: boolean): void {
  useEffect(() => {
    if (!isReady) return;
    const timer = setTimeout(() => {
      for (const by of [1, -1])
        void queryClient.prefetchQuery(calendarQuery({ view, date: stepped(view, date, by), ...filtersOf(search) }));
    }, AHEAD_MS);
    return () => clearTimeout(timer);
  }, [isReady, view, date, search]);
}
