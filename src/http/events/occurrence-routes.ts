import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { invalid } from '../../core/errors.ts';
import { RECURRENCE_PATTERNS } from '../../events/event.ts';
import { previewSeries } from '../../events/rules/recurrence.ts';
import type { RouteDeps } from '../deps.ts';
import { EVENTS } from '../paths.ts';
import { addRoute } from '../route.ts';
import { date, nullable, oneOf, optional, strict } from '../schemas/fields.ts';

const SHOWN = 5;

/** What a rule comes to, before there is an event that repeats by it. */
export function occurrenceRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'GET',
    url: `${EVENTS}/occurrences`,
    access: { permission: 'view_events' },
    name: 'previewOccurrences',
    tag: 'events',
    summary: 'The dates that a recurrence would give; nothing is made',
    query: strict({
      start_date: date,
      recurrence_pattern: oneOf(RECURRENCE_PATTERNS),
      recurrence_end_date: optional(date),
      recurrence_count: optional(Type.Integer({ minimum: 1, maximum: 366 })),
    }),
    answers: {
      200: Type.Object(
        {
          dates: Type.Array(Type.String(), { description: `the first ${SHOWN}` }),
          count: Type.Integer({ description: 'how many there would be' }),
          last: nullable(Type.String({ description: 'null where the end lies before the start' })),
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
