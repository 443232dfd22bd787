import { Type } from 'typebox';
import { AGENDA_DAYS, CALENDAR_DAYS_MAX, CALENDAR_VIEWS, showCalendar } from '../../calendar/show.ts';
import { CHILD_ID, FILTERS, filterOf, forChildren, QUICK } from '../events/event-filter-schema.ts';
import { askedLanguage } from '../link-pages.ts';
import { EVENTS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { date, oneOf, optional, refTo, strict } from '../schemas/fields.ts';
import { CALENDAR_ENTRY, SHOWN } from './calendar-schema.ts';

/** The route of the calendar views. */
export function calendarRoutes(routes: Routes): void {
  routes.get(`${EVENTS}/calendar`, {
    access: { permission: 'view_events' },
    name: 'getCalendar',
    summary: 'Read the calendar around a date',
    description:
      'Lists all events you can see that take place on the shown days, at least in part. Drafts are not included. Titles ' +
      'are in the language of Accept-Language, as far as they are translated.',
    query: strict({
      view: optional(
        oneOf(CALENDAR_VIEWS, { description: 'The view; `month` by default. A month has whole weeks from Monday.' }),
      ),
      date: optional({ ...date, description: 'A day of the calendar; today in the school’s time zone by default.' }),
      days: optional(
        Type.Integer({
          minimum: 1,
          maximum: CALENDAR_DAYS_MAX,
          description: `How many days the agenda shows; ${AGENDA_DAYS} by default.`,
        }),
      ),
      ...FILTERS,
      child_id: CHILD_ID,
      quick: QUICK,
    }),
    answers: {
      200: Type.Object({ ...SHOWN, entries: Type.Array(refTo(CALENDAR_ENTRY)) }, { description: 'The calendar' }),
    },
    result: async (joined, caller, { query, headers }) => {
      const { view = 'month', date: day, days: agendaDays, quick } = query;
      const locale = askedLanguage({ headers });
      const { viewer, filter } = forChildren(caller, filterOf(query), query.child_id);
      const shown = await showCalendar(joined, viewer, { view, date: day, agendaDays, filter, quick, locale });
      const { first: from, last: to, timezone, truncated, entries } = shown;
      return { view, from, to, timezone, truncated, entries };
    },
  });
}
