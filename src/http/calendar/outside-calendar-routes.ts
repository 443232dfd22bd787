import { addOutsideCalendar, OUTSIDE_CALENDAR } from '../../events/outside-calendar.ts';
import { scopeOf } from '../../people/caller.ts';
import { removeRecord } from '../../people/named-records.ts';
import { onePage } from '../paging-query.ts';
import { OPERATIONS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { described, line, nothing, pageOfSchema, strict } from '../schemas/fields.ts';

const CALENDARS = `${OPERATIONS}/outside-calendars`;
const access = { permission: 'manage_settings' } as const;

const CALENDAR = described('The outside calendar', OUTSIDE_CALENDAR);

/** Routes for calendars elsewhere that a school subscribes to. */
export function outsideCalendarRoutes(routes: Routes): void {
  routes.get(CALENDARS, {
    access,
    name: 'listOutsideCalendars',
    summary: 'List the outside calendars of the school, by name',
    responses: { 200: pageOfSchema(CALENDAR) },
    result: async ({ outsideCalendars }, caller) => onePage(await outsideCalendars.list(scopeOf(caller))),
  });

  routes.post(CALENDARS, {
    access,
    name: 'addOutsideCalendar',
    summary: 'Subscribe the school to an outside calendar',
    description:
      'A calendar at a public https address (ICS), such as that of the town hall. It is read within a minute and then every ' +
      'hour, 400 days ahead. Events at the time of its entries clash with it. A school has at most ten.',
    body: strict(
      { name: line(100), url: line(2048, { minLength: 1 }) },
      { examples: [{ name: 'Town hall', url: 'https://town.example/events.ics' }] },
    ),
    responses: { 201: CALENDAR },
    result: async (deps, caller, { body }) => addOutsideCalendar(deps, caller, body),
  });

  routes.delete(`${CALENDARS}/:calendar_id`, {
    access,
    name: 'removeOutsideCalendar',
    summary: 'Remove an outside calendar and its entries',
    responses: { 204: nothing('The calendar is removed') },
    result: async ({ outsideCalendars }, caller, { params }) =>
      removeRecord(outsideCalendars, caller, params.calendar_id),
  });
}
