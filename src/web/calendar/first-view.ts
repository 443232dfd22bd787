import { PHONE } from '../app/phone.ts';

/** The view that shows; a phone has no room for a time grid. */
export const viewOf = <View extends string>(wanted: View | undefined, isPhone: boolean): View | 'month' | 'agenda' =>
  isPhone && wanted !== 'month' ? 'agenda' : (wanted ?? 'month');

/** The query string of the calendar's first request at this URL; null if the URL has filters. */
export function firstView(search: string): string | null {
  const given = new URLSearchParams(search);
  if ([...given.keys()].some((name) => name !== 'view' && name !== 'date')) return null;
  const view = viewOf(given.get('view') ?? undefined, window.matchMedia(PHONE).matches);
  const now = new Date();
  const today = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
  return new URLSearchParams({ view, date: given.get('date') ?? today }).toString();
}
