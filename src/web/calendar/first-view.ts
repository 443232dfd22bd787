import { PHONE } from '../app/phone.ts';

/** The query string of the calendar's first request at this URL; null if the URL has filters. */
export function firstView(search: string): string | null {
  const given = new URLSearchParams(search);
  if ([...given.keys()].some((name) => name !== 'view' && name !== 'date')) return null;
  const isPhone = window.matchMedia(PHONE).matches;
  const wanted = given.get('view') ?? (isPhone ? 'agenda' : 'month');
  const view = isPhone && wanted !== 'month' ? 'agenda' : wanted;
  const now = new Date();
  const today = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
  return new URLSearchParams({ view, date: given.get('date') ?? today }).toString();
}
