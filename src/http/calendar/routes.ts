import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { showCalendar } from '../../calendar/show.ts';
import { AGENDA_DAYS, CALENDAR_DAYS_MAX, CALENDAR_VIEWS } from '../../calendar/view.ts';
import type { RouteDeps } from '../deps.ts';
import { FILTERS, filterOf, QUICK_LIST } from '../events/event-filter-schema.ts';
import { EVENTS } from '../paths.ts';
import { addRoute } from '../route.ts';
import { date, oneOf, optional, refTo, strict } from '../schemas/fields.ts';
import { CALENDAR_ENTRY, SHOWN } from './calendar-schema.ts';

/** What is on the calendar. */
export function calendarRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'GET',
    url: `${EVENTS}/calendar`,
    access: { permission: 'view_events' },
    name: 'getCalendar',
    tag: 'events',
    summary: 'The calendar around a date',
    description: 'Everything I may see that takes place on the days shown, at least in part; drafts are not on it.',
    query: strict({
      view: optional(oneOf(CALENDAR_VIEWS, { description: 'month when not given: whole weeks from Monday' })),
      date: optional({ ...date, description: 'today in the school’s zone when not given' }),
      days: optional(
        Type.Integer({
          minimum: 1,
          maximum: CALENDAR_DAYS_MAX,
          description: `How many the agenda shows, ${AGENDA_DAYS} when not given.`,
        }),
      ),
      ...FILTERS,
      quick: QUICK_LIST,
    }),
    answers: {
      200: Type.Object(
        { ...SHOWN, entries: Type.Array(refTo(CALENDAR_ENTRY)) },
        { description: 'The days and what is on' },
      ),
    },
    handle: async (joined, caller, { query }) => {
      const { view = 'month', date: day, days: agendaDays, quick } = query;
      const shown = await showCalendar(joined, caller, { view, date: day, agendaDays, filter: filterOf(query), quick });
      const { first: from, last: to, timezone, truncated, entries } = shown;
      return { status: 200, body: { view, from, to, timezone, truncated, entries } };
    },
  });
}
