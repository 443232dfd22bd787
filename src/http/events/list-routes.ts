import type { Static } from 'typebox';
import { findConfirmed, findFamilyRegistrations } from '../../events/find-confirmed.ts';
import { listEvents } from '../../events/list.ts';
import { type EventFilter, FILTERS } from '../../events/rules/filter.ts';
import { seriesIdOf } from '../../events/rules/series.ts';
import type { Caller } from '../../people/caller.ts';
import type { RouteDeps } from '../deps.ts';
import { momentOf, PAGING, parsePage } from '../paging-query.ts';
import { EVENTS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { choice, pageOfSchema, refTo, strict } from '../schemas/fields.ts';
import { CHILD_ID, filterOf, forChildren, QUICK } from './event-filter-schema.ts';
import { FIELDS_QUERY, fieldsOf, LISTED_EVENT } from './event-schema.ts';
import { eventViewFor, storedFieldsOf } from './event-view.ts';

export const SORT = choice(['start_date', '-start_date'], 'The order of the list; `start_date` by default.');

/** Lists of the events that the caller may see: all, and the dates of one series. */
export function eventListRoutes(routes: Routes): void {
  routes.get(EVENTS, {
    access: { permission: 'view_events' },
    name: 'listEvents',
    summary: 'List the events you can see, by start',
    description: 'An event must match all filters. If a filter is repeated, it must match any of its values.',
    query: QUERY,
    responses: { 200: pageOfSchema(refTo(LISTED_EVENT)) },
    result: async (deps, caller, { query }) => eventPage(deps, caller, query, filterOf(query)),
  });

  routes.get(`${EVENTS}/:id/occurrences`, {
    access: { permission: 'view_events' },
    name: 'listOccurrences',
    summary: 'List the occurrences of a series that you can see, by start',
    description: 'The `id` may be that of any occurrence. An event that does not repeat is its only occurrence.',
    query: strict({ fields: FIELDS_QUERY, ...PAGING }),
    responses: { 200: pageOfSchema(refTo(LISTED_EVENT)) },
    result: async (deps, caller, { event, query }) => eventPage(deps, caller, query, { series: seriesIdOf(event) }),
  });
}

const QUERY = strict({ ...FILTERS, child_id: CHILD_ID, quick: QUICK, sort: SORT, fields: FIELDS_QUERY, ...PAGING });

/** One page of the events that match a filter. */
async function eventPage(deps: RouteDeps, caller: Caller, query: Static<typeof QUERY>, asks: EventFilter) {
  const { limit: _, cursor: __, fields: ___, ...asked } = query;
  const fields = fieldsOf(query.fields);
  const { viewer, filter } = forChildren(caller, asks, query.child_id);
  const { after, ...wanted } = parsePage(query, ['events', filter.series ?? null, asked]);
  const page = await listEvents(deps, viewer, {
    filter,
    quick: query.quick,
    descending: query.sort === '-start_date',
    ...wanted,
    after: momentOf(after),
    fields: storedFieldsOf(fields),
  });
  const confirmed = fields.includes('location') ? await findConfirmed(deps, caller, page.data) : undefined;
  const view = eventViewFor(caller, deps, confirmed, fields);
  if (!query.fields?.includes('registered')) return { ...page, data: page.data.map(view) };
  const registrations = await findFamilyRegistrations(deps, caller);
  const data = page.data.map((event) => ({ ...view(event), registered: registrations.get(event.id) ?? [] }));
  return { ...page, data };
}
