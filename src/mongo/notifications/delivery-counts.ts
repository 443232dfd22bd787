import { fromKeys } from '../../core/objects.ts';
import type { Tx } from '../../core/transaction.ts';
import type { NotifiedPerson, StoppedMessages } from '../../notifications/explain/notified-people.ts';
import type { DeliveryOutcome, DeliveryStore, DeliveryTally } from '../../notifications/ports.ts';
import { scopeOf } from '../../people/caller.ts';
import type { Database } from '../database.ts';
import { findIds, inTx } from '../rows.ts';

/** Counts of deliveries by trigger, channel, status and reason. */
export function deliveryCounts(database: Database) {
  const counts = database.collection('delivery_counts');
  const rows = database.collection('deliveries');

  /** Counts removed deliveries and those that match the filter. */
  async function count(event_id: string, matching: readonly object[], tx: Tx): Promise<DeliveryOutcome[]> {
    const removed = await counts.findOne({ _id: event_id }, inTx(tx));
    const stages = [...matching, ...countedBy(['trigger', 'channel'])];
    const stored = await rows.aggregate<DeliveryOutcome>(stages, inTx(tx)).toArray();
    return sumOf(removed?.outcomes ?? [], stored);
  }

  return {
    countOutcomes: (scope, event_id, stopped) =>
      database.transact((tx) =>
        count(event_id, [{ $match: { event_id, ...scopeOf(scope) } }, ...skipping(stopped)], tx),
      ),

    findWithRemovedMessages: async (event_ids) =>
      (await counts.distinct('_id', { _id: { $in: event_ids } })) as string[],

    /** Removes up to `limit` deliveries of an event and adds them to its counts. @returns how many */
    remove: (event_id: string, limit: number): Promise<number> =>
      database.transact(async (tx) => {
        const ids = await findIds(rows, { event_id }, { limit, ...inTx(tx) });
        if (ids.length === 0) return 0;
        const some = { _id: { $in: ids } };
        const outcomes = await count(event_id, [{ $match: some }], tx);
        await counts.updateOne({ _id: event_id }, { $set: { outcomes } }, { upsert: true, ...inTx(tx) });
        return (await rows.deleteMany(some, inTx(tx))).deletedCount;
      }),

    async listPeople(scope, event_id, stopped) {
      const reader = { user_id: '$user_id', name: '$name' };
      const groups = rows.aggregate<NotifiedPerson>([
        { $match: { event_id, ...scopeOf(scope) } },
        ...skipping(stopped),
        { $set: { reader: { $concatArrays: [[reader], { $ifNull: ['$also', []] }] } } },
        { $unwind: '$reader' },
        {
          $group: {
            _id: { trigger: '$trigger', user_id: '$reader.user_id', fact_id: '$fact_id' },
            name: { $first: '$reader.name' },
            statuses: { $addToSet: '$status' },
            reasons: { $addToSet: '$reason' },
          },
        },
        {
          $group: {
            _id: { trigger: '$_id.trigger', user_id: '$_id.user_id' },
            name: { $first: '$name' },
            messages: { $push: { statuses: '$statuses', reasons: { $setDifference: ['$reasons', [null]] } } },
          },
        },
        { $replaceWith: { $mergeObjects: ['$_id', { name: '$name', messages: '$messages' }] } },
      ]);
      return groups.toArray();
    },

    async countByFact(scope, event_id, trigger) {
      const ofTrigger = { event_id, ...scopeOf(scope), trigger };
      return rows.aggregate<DeliveryTally>([{ $match: ofTrigger }, ...countedBy(['fact_id'])]).toArray();
    },
  } satisfies Partial<DeliveryStore> & { remove: unknown };
}

/** The stage that shows waiting deliveries as skipped if they will not be sent. One about several dates still names the others. */
function skipping(stopped?: StoppedMessages | null): object[] {
  if (!stopped) return [];
  const { triggers, reason } = stopped;
  const isStopped = {
    $and: [{ $eq: ['$status', 'waiting'] }, { $in: ['$trigger', triggers] }, { $not: ['$other_sequences'] }],
  };
  const status = { $cond: [isStopped, 'skipped', '$status'] };
  return [{ $set: { status, reason: { $cond: [isStopped, reason, '$reason'] } } }];
}

/** The stages that count deliveries by these fields, status and reason. */
function countedBy(fields: readonly string[]): object[] {
  const _id = { ...fromKeys([...fields, 'status'], (field) => `$${field}`), reason: { $ifNull: ['$reason', null] } };
  return [{ $group: { _id, count: { $sum: 1 } } }, { $replaceWith: { $mergeObjects: ['$_id', { count: '$count' }] } }];
}

function sumOf(a: readonly DeliveryOutcome[], b: readonly DeliveryOutcome[]): DeliveryOutcome[] {
  const keyOf = ({ count: _, ...of }: DeliveryOutcome) =>
    JSON.stringify([of.trigger, of.channel, of.status, of.reason]);
  const sums = new Map<string, DeliveryOutcome>();
  for (const one of [...a, ...b]) {
    const key = keyOf(one);
    sums.set(key, { ...one, count: one.count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.entries()].sort(([x], [y]) => (x < y ? -1 : 1)).map(([, sum]) => sum);
}
