import type { Tx } from '../../core/transaction.ts';
import { type DeliveryFilter, RETRYABLE_REASONS } from '../../notifications/delivery.ts';
import type { DeliveryStore, QueueDepth } from '../../notifications/ports.ts';
import { type Scope, scopeOf } from '../../people/caller.ts';
import { CHANNELS, type Channel } from '../../people/channels.ts';
import type { Database } from '../database.ts';
import { anyOf, bounds, type Collection, during, type Filter, IS_DATE, inTx, olderThan } from '../rows.ts';
import { type DeliveryRow, deliveriesOf, deliveryOf, lateSince } from './delivery-row.ts';

const FAILURE_FIELDS = [
  'reason',
  'settled_at',
  'attempts',
  'errors',
  'crashes',
  'repeated',
  'queued_at',
  // The text may have caused the failure and be corrected by now.
  'template_version',
];

const RESET = [{ $set: { status: 'waiting', due_at: '$$NOW', redriven_at: '$$NOW' } }, { $unset: FAILURE_FIELDS }];

/** A failed digest has not arrived, so each of its messages goes to today's address. */
const RETRY = [...RESET, { $unset: ['digest_id', 'digest_ids'] }];

/** Staff actions on quarantined and failed deliveries. */
export function deliveryQuarantine(rows: Collection<DeliveryRow>) {
  const resolve = async (scope: Scope, id: string, update: object | readonly object[], tx: Tx) => {
    const quarantined = { _id: id, ...scopeOf(scope), status: 'quarantined' };
    const row = await rows.findOneAndUpdate(quarantined, update, { returnDocument: 'after', ...inTx(tx) });
    return row && deliveryOf(row);
  };
  return {
    async listQuarantined(scope, { after, limit }) {
      const filter = { ...scopeOf(scope), status: 'quarantined', ...bounds('_id', after) };
      return deliveriesOf(rows.find(filter).sort({ _id: 1 }).limit(limit));
    },

    redrive: (scope, id, tx) => resolve(scope, id, RESET, tx),

    discard: (scope, id, tx) =>
      resolve(scope, id, { $set: { status: 'failed', reason: 'discarded' }, $currentDate: { settled_at: true } }, tx),

    async retryFailed(scope, { delivery_id, event_id, channel, reason, from, to }, limit, tx) {
      const failed = { status: 'failed', reason: reason ?? { $in: RETRYABLE_REASONS } };
      const filter = {
        ...scopeOf(scope),
        ...(delivery_id ? { _id: delivery_id, $or: [failed, { status: 'skipped', reason: 'suppressed' }] } : failed),
        ...during('settled_at', from, to),
        event_id,
        channel,
      };
      const found = await rows
        .find(filter, { projection: { event_id: 1 }, ...inTx(tx) })
        .sort({ settled_at: 1 })
        .limit(limit + 1)
        .toArray();
      const taken = found.slice(0, limit);
      const byEvent = new Map<string, number>();
      for (const { event_id: id = '' } of taken) byEvent.set(id, (byEvent.get(id) ?? 0) + 1);
      if (taken.length > 0) await rows.updateMany({ _id: { $in: taken.map(({ _id }) => _id) } }, RETRY, inTx(tx));
      return { byEvent, has_more: found.length > limit };
    },
  } satisfies Partial<DeliveryStore>;
}

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
