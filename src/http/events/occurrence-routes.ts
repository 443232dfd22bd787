import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { invalid } from '../../core/errors.ts';
import { RECURRENCE_PATTERNS } from '../../events/event-fields.ts';
import { previewSeries, seriesOf } from '../../events/rules/recurrence.ts';
import type { RouteDeps } from '../deps.ts';
import { PAGING } from '../paging-query.ts';
import { EVENTS } from '../paths.ts';
import { addRoute } from '../route.ts';
import { date, nullable, oneOf, optional, pageOfSchema, refTo, strict } from '../schemas/fields.ts';
import { EVENT } from './event-schema.ts';
import { eventPage } from './list-routes.ts';
import { EVENT_ID } from './routes.ts';

const SHOWN = 5;

/** Routes for the dates of a recurrence rule and of an existing series. */
export function occurrenceRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'GET',
    url: `${EVENTS}/:id/occurrences`,
    access: { permission: 'view_events' },
    name: 'listOccurrences',
    tag: 'events',
    summary: 'List the occurrences of a series that you can see, by start',
    description: 'The `id` may be that of any occurrence. An event that does not repeat is its only occurrence.',
    params: EVENT_ID,
    query: strict(PAGING),
    answers: { 200: pageOfSchema(refTo(EVENT)) },
    handle: async (joined, caller, { event, query }) =>
      eventPage(joined, caller, query, { series: seriesOf(event) ?? event.id }),
  });

  addRoute(app, deps, {
    method: 'GET',
    url: `${EVENTS}/occurrences`,
    access: { permission: 'view_events' },
    name: 'previewOccurrences',
    tag: 'events',
    summary: 'Preview the dates of a recurring event',
    query: strict({
      start_date: date,
      recurrence_pattern: oneOf(RECURRENCE_PATTERNS),
      recurrence_end_date: optional(date),
      recurrence_count: optional(Type.Integer({ minimum: 1, maximum: 366 })),
    }),
    answers: {
      200: Type.Object(
        {
          dates: Type.Array(Type.String(), { description: `The first ${SHOWN} dates.` }),
          count: Type.Integer({ description: 'How many occurrences there would be.' }),
          last: nullable(Type.String({ description: 'The last date. Null if the end lies before the start.' })),
        },
        { description: 'The dates' },
      ),
    },
    handle: async (_deps, _caller, { query }) => {
      const { start_date, recurrence_pattern, recurrence_end_date = null, recurrence_count = null } = query;
      const rule = { start_date, recurrence_pattern, recurrence_end_date, recurrence_count };
      const { dates, faults } = previewSeries(rule);
      if (faults.length > 0) throw invalid(faults.map((one) => ({ ...one, pointer: `/query${one.pointer}` })));
      return { status: 200, body: { dates: dates.slice(0, SHOWN), count: dates.length, last: dates.at(-1) ?? null } };
    },
  });
}
