import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { invalid } from '../../core/errors.ts';
import { RECURRENCE_PATTERNS } from '../../events/event-fields.ts';
import { previewSeries } from '../../events/rules/recurrence.ts';
import type { RouteDeps } from '../deps.ts';
import { EVENTS } from '../paths.ts';
import { addRoute } from '../route.ts';
import { date, nullable, oneOf, optional, strict } from '../schemas/fields.ts';

const SHOWN = 5;

/** Previews the dates of a recurrence rule. */
export function occurrenceRoutes(app: FastifyInstance, deps: RouteDeps): void {
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
