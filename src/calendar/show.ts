import { pick } from '../core/objects.ts';
import { cut } from '../core/plain-text.ts';
import { addDays, type Days, dayOf, daysOf, monthGridOf, weekOf } from '../core/zoned-time.ts';
import { inLanguage, placeName, type SchoolEvent } from '../events/event.ts';
import { EVENT_TYPES } from '../events/event-types.ts';
import { type FamilyDeps, type FamilyRegistration, findFamilyRegistrations } from '../events/find-confirmed.ts';
import type { ReadAlways, ReadingDeps } from '../events/ports.ts';
import { type EventFilter, type QuickFilter, quickFilter } from '../events/rules/filter.ts';
import { type Action, allowedActions } from '../events/rules/lifecycle.ts';
import { SCHEDULE_FIELDS } from '../events/rules/schedule.ts';
import type { Locale } from '../people/contact.ts';
import type { Viewer } from '../people/visibility.ts';
import { visibleTo } from '../people/visible-events.ts';

export const CALENDAR_VIEWS = ['month', 'week', 'day', 'agenda'] as const;
type CalendarView = (typeof CALENDAR_VIEWS)[number];

/** docs/decisions.md, "Limits" */
export const CALENDAR_DAYS_MAX = 400;
export const AGENDA_DAYS = 30;

const SPANS: Record<CalendarView, (date: string, agendaDays: number) => { first: string; last: string }> = {
  month: monthGridOf,
  week: weekOf,
  day: (date) => ({ first: date, last: date }),
  agenda: (date, days) => ({ first: date, last: addDays(date, days - 1) }),
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
  deps: ReadingDeps & FamilyDeps,
  viewer: Viewer,
  input: {
    view: CalendarView;
    date?: string;
    agendaDays?: number;
    filter: EventFilter;
    quick?: readonly QuickFilter[];
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
    deps.eventReader.findPage(visibleTo(viewer), filters, ENTRY_FIELDS, page),
    findFamilyRegistrations(deps, viewer),
  ]);
  const entries = events.map((event) =>
    entryOf(inLanguage(event, input.locale), allowedActions(event, reader), registrations.get(event.id) ?? []),
  );
  return { ...days, timezone, entries, truncated: has_more };
}

const TITLE_MAX = 40;

/** The properties of an entry that are fields of the event as they are. */
export const AS_STORED = [
  'id',
  'event_type',
  'status',
  'postponed_to',
  'starts_at',
  'ends_at',
  ...SCHEDULE_FIELDS,
] as const;

/** The event fields that an entry needs, and no others: decoding a field of BSON costs the same whatever its size. */
export const ENTRY_FIELDS = [
  ...AS_STORED,
  'title',
  'translations',
  'location',
  'location_name',
  'is_recurring',
  'parent_event_id',
  'is_featured',
  'current_attendees',
] as const satisfies readonly (keyof SchoolEvent)[];

/** An event as the calendar shows it. @param registered the active registrations of the viewer and their children */
export function entryOf(
  event: Pick<SchoolEvent, ReadAlways | (typeof ENTRY_FIELDS)[number]>,
  allowed_actions: Action[],
  registered: readonly FamilyRegistration[],
) {
  const { icon, color } = EVENT_TYPES[event.event_type];
  return {
    ...pick(event, AS_STORED),
    title: cut(event.title, TITLE_MAX),
    full_title: event.title.length > TITLE_MAX ? event.title : null,
    icon,
    color,
    location_name: placeName(event),
    recurring: event.is_recurring || event.parent_event_id !== null,
    featured: event.is_featured,
    allowed_actions,
    registered,
  };
}
