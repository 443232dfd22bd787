import { groupBy } from '../../core/group-by.ts';
import { inBatches } from '../../core/micro-batch.ts';
import type { Delivery, DeliveryStatus } from '../../notifications/delivery.ts';
import type { DeliveryResult, DeliveryStore } from '../../notifications/ports.ts';
import type { Collection, Database } from '../database.ts';
import { untilAnswered } from '../retry-until-answered.ts';
import { type DeliveryRow, deliveryOf } from './delivery-row.ts';
import { writesFor } from './delivery-writes.ts';

/** A result counts in each of these states: the last three are what the reconciler makes of a lease that ran out. */
const AWAITS_RESULT: DeliveryStatus[] = ['sending', 'claimed', 'unknown', 'waiting'];

/**
 * The writes of the delivery path. Those of one kind that several messages need at about the same time go in one command,
 * as soon as the command before is answered. All are repeated until the database answers: after the first time they
 * match nothing, so that repeating changes nothing.
 */
export function leasesOf(
  rows: Collection<DeliveryRow>,
  readAll: Database['readAll'],
): Pick<DeliveryStore, 'due' | 'lease' | 'markSending' | 'record' | 'release'> {
  /** Takes writes, with how many rows they are to change. Answers whether all of its batch did. */
  const batches = () =>
    inBatches(
      () => ({ writes: [] as object[], expected: 0 }),
      async ({ writes, expected }) => {
        const { modifiedCount } = await untilAnswered(() => rows.bulkWrite(writes as never, { ordered: false }));
        return modifiedCount === expected;
      },
    );
  const [leases, sending, results] = [batches(), batches(), batches()];

  /** Which of these have the state that a batch was to give them, after one that did not change all it was meant to. */
  async function heldBy(claim: string, status: DeliveryStatus, ids: readonly string[]): Promise<string[]> {
    const held = rows.find({ _id: { $in: [...ids] }, claim, status }, { projection: { _id: 1 } });
    return (await held.toArray()).map((row) => row._id);
  }

  return {
    async due(ids, channel, withinMs = 0) {
      const due = { $expr: { $lte: ['$due_at', { $add: ['$$NOW', withinMs] }] } };
      const filter = { _id: { $in: ids }, channel, status: 'waiting', ...due };
      return (await readAll<DeliveryRow>('deliveries', filter, { hint: '_id_' })).map(deliveryOf);
    },

    async lease(read, claim, leaseMs) {
      const isAsMeant = await leases((batch) => {
        batch.writes.push(...leaseWrites(read, claim, leaseMs));
        batch.expected += read.length;
      });
      const ids = read.map(({ id }) => id);
      return isAsMeant ? ids : heldBy(claim, 'claimed', ids);
    },

    async markSending(ids, claim, leaseMs) {
      if (ids.length === 0) return [];
      const filter = { _id: { $in: ids }, claim, status: 'claimed', $expr: { $gt: ['$lease_until', '$$NOW'] } };
      const update = [{ $set: { status: 'sending', lease_until: { $add: ['$$NOW', leaseMs] } } }];
      const isAsMeant = await sending((batch) => {
        batch.writes.push({ updateMany: { filter, update, hint: '_id_' } });
        batch.expected += ids.length;
      });
      return isAsMeant ? [...ids] : heldBy(claim, 'sending', ids);
    },

    async record(ended: readonly DeliveryResult[], claim) {
      if (ended.length === 0) return;
      await results((batch) => {
        batch.writes.push(...writesFor(ended, { claim, status: { $in: AWAITS_RESULT } }));
      });
    },

    async release(ids, afterMs = 0) {
      if (ids.length === 0) return;
      const filter = { _id: { $in: [...ids] }, status: 'waiting' as const };
      const due = afterMs > 0 ? { due_at: { $add: ['$$NOW', afterMs] } } : {};
      await untilAnswered(() => rows.updateMany(filter, [{ $set: due }, { $unset: ['queued_at'] }] as never));
    },
  };
}

/** One write for all that were leased equally often, which is nearly always all of them. */
function leaseWrites(rows: readonly Delivery[], claim: string, leaseMs: number): object[] {
  return groupBy(rows, ({ fence }) => String(fence)).map((alike) => {
    const { fence } = alike[0] as Delivery;
    const filter = {
      _id: { $in: alike.map(({ id }) => id) },
      status: 'waiting',
      fence: fence === 0 ? { $in: [null, 0] } : fence,
    };
    const leased = {
      status: 'claimed',
      claim,
      lease_until: { $add: ['$$NOW', leaseMs] },
      fence: fence + 1,
      crashes: { $add: [{ $ifNull: ['$crashes', 0] }, 1] },
    };
    return { updateMany: { filter, update: [{ $set: leased }], hint: '_id_' } };
  });
}
