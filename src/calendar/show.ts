import { addDays, type Days, dayOf, daysOf, monthGridOf, weekOf } from '../core/zoned-time.ts';
import { inLanguage } from '../events/event.ts';
import { findFamilyRegistrations } from '../events/find-confirmed.ts';
import type { ReadingDeps } from '../events/ports.ts';
import { type EventFilter, type QuickFilter, quickFilter } from '../events/rules/filter.ts';
import { allowedActions } from '../events/rules/lifecycle.ts';
import type { FindActiveRegistrations } from '../events/rules/meeting.ts';
import type { Locale } from '../people/contact.ts';
import type { Viewer } from '../people/visibility.ts';
import { visibleTo } from '../people/visible-events.ts';
import { ENTRY_FIELDS, entryOf } from './entry.ts';

export const CALENDAR_VIEWS = ['month', 'week', 'day', 'agenda'] as const;
type CalendarView = (typeof CALENDAR_VIEWS)[number];

/** decisions.md, "limits" */
export const CALENDAR_DAYS_MAX = 400;
export const AGENDA_DAYS = 30;

const SPANS: Record<CalendarView, (date: string, agendaDays: number) => { first: string; last: string }> = {
  month: monthGridOf,
  week: weekOf,
  day: (date) => ({ first: date, last: date }),
  agenda: (date, days) => ({ first: date, last: addDays(date, Math.min(days, CALENDAR_DAYS_MAX) - 1) }),
};

/**
 * The days of a view around a date: the month's grid of whole weeks, the week, the day, or for the agenda
 * `agendaDays` from the date on.
 */
export function daysShown(view: CalendarView, date: string, zone: string, agendaDays: number = AGENDA_DAYS): Days {
  const { first, last } = SPANS[view](date, agendaDays);
  return daysOf(first, last, zone);
}

const ENTRIES_MAX = 5000;

/**
 * Loads the calendar around a date (default: today) in the school's zone: all visible events that overlap its days, without
 * drafts. Reads only.
 */
export async function showCalendar(
  deps: ReadingDeps & { registrations: { findActive: FindActiveRegistrations } },
  viewer: Viewer,
  input: {
    view: CalendarView;
    date?: string | undefined;
    agendaDays?: number | undefined;
    filter: EventFilter;
    quick?: readonly QuickFilter[] | undefined;
    /** the language of the titles; null: as written */
    locale: Locale | null;
  },
) {
  const { timezone } = await deps.schools.find(viewer);
  const now = deps.clock.now();
  const date = input.date ?? dayOf(now, timezone);
  const days = daysShown(input.view, date, timezone, input.agendaDays);
  const quick = (input.quick ?? []).map((one) => quickFilter(one, now, timezone, viewer.user_id ?? ''));
  const filters = [input.filter, ...quick, { during: days, without_drafts: true } as const];
  const reader = { user_id: viewer.user_id, permissions: viewer.permissions ?? [] };
  const page = { limit: ENTRIES_MAX };
  const [{ events, has_more }, registrations] = await Promise.all([
    deps.eventReader.page(visibleTo(viewer), filters, ENTRY_FIELDS, page),
    findFamilyRegistrations(deps, viewer),
  ]);
  const entries = events.map((event) =>
    entryOf(inLanguage(event, input.locale), allowedActions(event, reader), registrations.get(event.id) ?? []),
  );
  return { ...days, timezone, entries, truncated: has_more };
}
