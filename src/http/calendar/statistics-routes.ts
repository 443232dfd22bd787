import { fault, invalid } from '../../core/errors.ts';
import { countEvents } from '../../statistics/summary.ts';
import { EVENTS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { date, optional, refTo, strict } from '../schemas/fields.ts';
import { STATISTICS } from './calendar-schema.ts';

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
    answers: { 200: refTo(STATISTICS, 'The statistics') },
    result: async (joined, caller, { query }) => {
      const { from, to } = query;
      if (from !== undefined && to !== undefined && from > to) {
        throw invalid([fault('/query/to', 'must not be before from', 'not_before_from')]);
      }
      return countEvents(joined, caller, { from, to });
    },
  });
}
