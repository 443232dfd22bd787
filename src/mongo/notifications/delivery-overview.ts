import type { DeliveryFilter } from '../../notifications/delivery.ts';
import type { DeliveryStore, QueueDepth } from '../../notifications/ports.ts';
import { type Scope, scopeOf } from '../../people/caller.ts';
import { CHANNELS, type Channel } from '../../people/channels.ts';
import type { Database } from '../database.ts';
import { anyOf, type Collection, type Filter, IS_DATE, olderThan } from '../rows.ts';
import { type DeliveryRow, deliveriesOf, lateSince } from './delivery-row.ts';

/** Rows counted per channel and priority; `is_capped` reports that there are more. */
const MOST = 10_000;
const WITHIN_MS = 5_000;

type Waiting = { due: number; later: number; oldest: Date | null };

/** Queries for operators. */
export function deliveryOverview(rows: Collection<DeliveryRow>, database: Pick<Database, 'clock'>) {
  return {
    async countQueued(scope) {
      const school = scopeOf(scope);
      const now = database.clock.now();
      const count = (filter: Filter<DeliveryRow>, hint: string) =>
        rows.countDocuments(filter, { hint, limit: MOST, maxTimeMS: WITHIN_MS });
      const isDue = { $lte: ['$due_at', now] };
      const sums = {
        due: { $sum: { $cond: [isDue, 1, 0] } },
        later: { $sum: { $cond: [isDue, 0, 1] } },
        oldest: { $min: lateSince(now) },
      };
      async function waiting(channel: Channel, urgent: boolean) {
        const own = { $match: { status: 'waiting', channel, urgent, ...school } };
        const stages = [own, { $limit: MOST }, { $group: { _id: null, ...sums } }];
        const options = { hint: 'waiting', maxTimeMS: WITHIN_MS };
        const [found] = await rows.aggregate<Waiting>(stages, options).toArray();
        return found ?? { due: 0, later: 0, oldest: null };
      }
      return Promise.all(
        CHANNELS.map(async (channel): Promise<QueueDepth> => {
          const [urgent, bulk] = await Promise.all([waiting(channel, true), waiting(channel, false)]);
          const oldest = [urgent, bulk].flatMap((one) => one.oldest?.getTime() ?? []);
          return {
            channel,
            due: urgent.due + bulk.due,
            urgent: urgent.due,
            later: urgent.later + bulk.later,
            oldest_due_at: oldest.length > 0 ? new Date(Math.min(...oldest)) : null,
            sending: await count({ lease_until: IS_DATE, channel, ...school }, 'leased'),
            unknown: await count({ status: 'unknown', channel, ...school }, 'unknown'),
            quarantined: await count({ status: 'quarantined', channel, ...school }, 'quarantined'),
            is_capped: [urgent, bulk].some(({ due, later }) => due + later === MOST),
          };
        }),
      );
    },

    async list(scope, { before, limit, ...filter }) {
      const found = rows
        .find({ ...matching(scope, filter), ...olderThan('created_at', before) }, { maxTimeMS: WITHIN_MS })
        .sort({ created_at: -1, _id: -1 })
        .limit(limit);
      return deliveriesOf(found);
    },

    async count(scope, filter) {
      const [found] = await rows
        .aggregate<{ messages: number; people: string[] }>(
          [
            { $match: matching(scope, filter) },
            { $limit: MOST },
            { $group: { _id: null, messages: { $sum: 1 }, people: { $addToSet: '$user_id' } } },
          ],
          { maxTimeMS: WITHIN_MS },
        )
        .toArray();
      const { messages = 0, people = [] } = found ?? {};
      return { messages, people: people.length, is_capped: messages === MOST };
    },
  } satisfies Partial<DeliveryStore>;
}

const matching = (scope: Scope, { status, channel, trigger, ...ids }: DeliveryFilter) => ({
  ...anyOf({ status, channel, trigger }),
  ...ids,
  ...scopeOf(scope),
});
