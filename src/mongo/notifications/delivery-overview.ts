import { CHANNELS } from '../../notifications/policy/trigger.ts';
import type { DeliveryStore, QueueDepth } from '../../notifications/ports.ts';
import { scopeOf } from '../../people/caller.ts';
import type { Collection, Filter } from '../collection.ts';
import type { Database } from '../database.ts';
import { type DeliveryRow, deliveryOf } from './delivery-row.ts';

/** Rows counted per channel and priority; `is_capped` reports that there are more. */
const MOST = 10_000;
const WITHIN_MS = 5_000;

/** Queries for operators. */
export function deliveryOverview(
  rows: Collection<DeliveryRow>,
  database: Pick<Database, 'clock'>,
): Pick<DeliveryStore, 'countQueued' | 'list'> {
  return {
    async countQueued(scope) {
      const school = scopeOf(scope);
      const now = database.clock.now();
      const count = (filter: Filter<DeliveryRow>, hint: string) =>
        rows.countDocuments(filter, { hint, limit: MOST, maxTimeMS: WITHIN_MS });
      return Promise.all(
        CHANNELS.map(async (channel): Promise<QueueDepth> => {
          const priorities = await Promise.all(
            [true, false].map(async (urgent) => {
              const [found] = await rows
                .aggregate<{ due: number; later: number; oldest: Date | null }>(
                  [
                    { $match: { status: 'waiting', channel, urgent, ...school } },
                    { $limit: MOST },
                    {
                      $group: {
                        _id: null,
                        due: { $sum: { $cond: [{ $lte: ['$due_at', now] }, 1, 0] } },
                        later: { $sum: { $cond: [{ $gt: ['$due_at', now] }, 1, 0] } },
                        oldest: { $min: { $cond: [{ $lte: ['$due_at', now] }, '$due_at', null] } },
                      },
                    },
                  ],
                  { hint: 'waiting', maxTimeMS: WITHIN_MS },
                )
                .toArray();
              return found ?? { due: 0, later: 0, oldest: null };
            }),
          );
          const sum = (of: (one: (typeof priorities)[number]) => number) =>
            priorities.reduce((all, one) => all + of(one), 0);
          const oldest = priorities.flatMap((one) => (one.oldest ? [one.oldest.getTime()] : []));
          return {
            channel,
            due: sum(({ due }) => due),
            urgent: priorities[0]?.due ?? 0,
            later: sum(({ later }) => later),
            oldest_due_at: oldest.length > 0 ? new Date(Math.min(...oldest)) : null,
            sending: await count({ lease_until: { $type: 'date' }, channel, ...school }, 'leased'),
            unknown: await count({ status: 'unknown', channel, ...school }, 'unknown'),
            quarantined: await count({ status: 'quarantined', channel, ...school }, 'quarantined'),
            is_capped: priorities.some(({ due, later }) => due + later === MOST),
          };
        }),
      );
    },

    async list(scope, { before, limit, ...wanted }) {
      const older = before
        ? { $or: [{ created_at: { $lt: before.at } }, { created_at: before.at, _id: { $lt: before.id } }] }
        : {};
      const found = rows
        .find({ ...wanted, ...scopeOf(scope), ...older }, { maxTimeMS: WITHIN_MS })
        .sort({ created_at: -1, _id: -1 })
        .limit(limit);
      return (await found.toArray()).map(deliveryOf);
    },
  };
}
