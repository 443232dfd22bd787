import { groupBy } from '../kernel/group-by.ts';
import { inBatches } from '../kernel/together.ts';
import type { Delivery } from '../notifications/delivery.ts';
import type { DeliveryStore } from '../notifications/ports.ts';
import type { Collection, Database } from './database.ts';
import { type DeliveryRow, deliveryOf } from './delivery-row.ts';
import { writesFor } from './delivery-writes.ts';

/** What the delivery store does with rows that are begun as they were read: each write of a row costs more than its insert. */
export function advanceOf(
  rows: Collection<DeliveryRow>,
  readAll: Database['readAll'],
): Pick<DeliveryStore, 'due' | 'advance'> {
  // What several groups at work write at about the same time is one command: each costs as much as ten rows. Answers
  // whether all of it changed what it was to change.
  const write = inBatches(
    () => ({ writes: [] as object[], expected: 0 }),
    async ({ writes, expected }) =>
      (await rows.bulkWrite(writes as never, { ordered: false })).modifiedCount === expected,
  );
  return {
    async due(ids, channel, withinMs = 0) {
      const due = { $expr: { $lte: ['$due_at', { $add: ['$$NOW', withinMs] }] } };
      const filter = { _id: { $in: ids }, channel, status: 'waiting', ...due };
      return (await readAll<DeliveryRow>('deliveries', filter, { hint: '_id_' })).map(deliveryOf);
    },

    async advance(settlements, begun, claim, leaseMs) {
      const begin = begun.length > 0 ? beginOf(begun, claim, leaseMs) : [];
      const writes = [...writesFor(settlements, { claim }), ...begin];
      if (writes.length === 0) return [];
      const isAsMeant = await write((batch) => {
        batch.writes.push(...writes);
        batch.expected += settlements.length + begun.length;
      });
      const ids = begun.map((row) => row.id);
      if (isAsMeant || ids.length === 0) return ids;
      // Somebody else had some of them first.
      const held = rows.find({ _id: { $in: ids }, claim, status: 'sending' }, { projection: { _id: 1 } });
      return (await held.toArray()).map((row) => row._id);
    },
  };
}

/** One write for all that were tried equally often, which is nearly always all of them. */
function beginOf(begun: readonly Delivery[], claim: string, leaseMs: number) {
  return groupBy(begun, ({ fence }) => String(fence)).map((alike) => {
    const { fence } = alike[0] as Delivery;
    return {
      updateMany: {
        filter: {
          _id: { $in: alike.map(({ id }) => id) },
          status: 'waiting',
          fence: fence === 0 ? { $in: [null, 0] } : fence,
        },
        update: [
          {
            $set: {
              status: 'sending',
              claim,
              lease_until: { $add: ['$$NOW', leaseMs] },
              fence: fence + 1,
              crashes: { $add: [{ $ifNull: ['$crashes', 0] }, 1] },
            },
          },
          { $unset: ['handed_over'] },
        ],
        hint: '_id_',
      },
    };
  });
}
