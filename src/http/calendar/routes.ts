import { Type } from 'typebox';
import { AGENDA_DAYS, AS_STORED, CALENDAR_DAYS_MAX, CALENDAR_VIEWS, showCalendar } from '../../calendar/show.ts';
import { fromKeys, pick } from '../../core/objects.ts';
import { EVENT_STATUSES } from '../../events/event.ts';
import { EVENT_TYPE_NAMES } from '../../events/event-types.ts';
import { FILTERS } from '../../events/rules/filter.ts';
import { ACTIONS, type Action } from '../../events/rules/lifecycle.ts';
import { countEvents } from '../../statistics/summary.ts';
import { CHILD_ID, filterOf, forChildren, QUICK } from '../events/event-filter-schema.ts';
import { ACTIVE_REGISTRATIONS, EVENT, EVENT_TYPE_LOOK } from '../events/event-schema.ts';
import { preferredLanguage } from '../language.ts';
import { EVENTS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { choice, date, named, nullable, oneOf, optional, refTo, strict, stringOrNull } from '../schemas/fields.ts';
import { checkSpan } from '../span.ts';

export const CALENDAR_ENTRY = named('CalendarEntry', {
  ...pick(EVENT.properties, AS_STORED),
  title: Type.String({ description: 'The title, cut to 40 characters with … if it is longer.' }),
  full_title: stringOrNull('The whole title if `title` is cut.'),
  ...EVENT_TYPE_LOOK,
  location_name: nullable(Type.String()),
  recurring: Type.Boolean({ description: 'True if the event repeats.' }),
  featured: Type.Boolean({ description: 'True if the event is featured.' }),
  allowed_actions: Type.Array(oneOf(Object.keys(ACTIONS) as Action[])),
  registered: ACTIVE_REGISTRATIONS,
});

const CALENDAR = Type.Object(
  {
    view: oneOf(CALENDAR_VIEWS, { description: 'The view of the calendar.' }),
    from: Type.String({ description: 'The first day of the calendar.' }),
    to: Type.String({ description: 'The last day of the calendar.' }),
    timezone: Type.String({ description: 'The time zone of the school. Days begin and end in it.' }),
    truncated: Type.Boolean({ description: 'True if there are more entries than fit into one response.' }),
    entries: Type.Array(refTo(CALENDAR_ENTRY), { description: 'The events of these days.' }),
  },
  { description: 'The calendar' },
);

const whole = Type.Integer();
const counts = <K extends string>(keys: readonly K[]) => Type.Object(fromKeys(keys, () => whole));

const STATISTICS = named('Statistics', {
  total: Type.Integer({ description: 'How many there are in all.' }),
  upcoming: Type.Integer({ description: 'Scheduled, published or postponed events that start in the future.' }),
  inProgress: Type.Integer({ description: 'How many events are running.' }),
  completed: Type.Integer({ description: 'How many events are completed.' }),
  cancelled: Type.Integer({ description: 'How many events are cancelled.' }),
  totalRegistrations: Type.Integer({
    description: 'Pending and confirmed registrations, without drafts and cancelled events.',
  }),
  averageAttendance: Type.Number({
    description: 'Average number of seats taken, without drafts and cancelled events.',
  }),
  attendanceRate: nullable(
    Type.Number({
      description:
        'The checked-in part of the confirmed people of events that have started, from 0 to 1. Null without such people.',
    }),
  ),
  byType: counts(EVENT_TYPE_NAMES),
  byStatus: counts(EVENT_STATUSES),
});

/** The route of the statistics. */
export function statisticsRoutes(routes: Routes): void {
  routes.get(`${EVENTS}/statistics`, {
    access: { permission: 'view_statistics' },
    name: 'getStatistics',
    summary: 'Read statistics of the events you can see',
    query: strict({
      from: optional({ ...date, description: 'Count events that start on or after this date.' }),
      to: optional({ ...date, description: 'Count events that start on or before this date.' }),
    }),
    responses: { 200: refTo(STATISTICS, 'The statistics') },
    result: async (deps, caller, { query }) => {
      checkSpan(query, '/query/to');
      return countEvents(deps, caller, query);
    },
  });
}

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
      view: choice(CALENDAR_VIEWS, 'The view; `month` by default. A month has whole weeks from Monday.'),
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
    responses: { 200: CALENDAR },
    result: async (deps, caller, { query, headers }) => {
      const { view = 'month', date: day, days: agendaDays, quick } = query;
      const locale = preferredLanguage(headers);
      const { viewer, filter } = forChildren(caller, filterOf(query), query.child_id);
      const shown = await showCalendar(deps, viewer, { view, date: day, agendaDays, filter, quick, locale });
      const { first: from, last: to, timezone, truncated, entries } = shown;
      return { view, from, to, timezone, truncated, entries };
    },
  });
}
