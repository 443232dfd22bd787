import { groupBy } from '../../core/group-by.ts';
import { createMicroBatcher } from '../../core/micro-batch.ts';
import type { DeliveryStatus } from '../../notifications/delivery.ts';
import type { DeliveryResult, DeliveryStore } from '../../notifications/ports.ts';
import type { Collection, Database } from '../database.ts';
import { untilAnswered } from '../retry-until-answered.ts';
import { type DeliveryRow, deliveryOf } from './delivery-row.ts';
import { writesFor } from './delivery-writes.ts';

/** A result counts in each of these states: the last three are what the reconciler makes of a lease that ran out. */
const AWAITS_RESULT: DeliveryStatus[] = ['sending', 'claimed', 'unknown', 'waiting'];

/** One row to mark as sending. */
type Mark = { id: string; claim: string; leaseMs: number };
/** One row to lease, as it was read. */
type Lease = Mark & { fence: number };
/** What is written in one command. */
type Batch = { results: { claim: string; result: DeliveryResult }[]; marks: Mark[]; leases: Lease[] };

/**
 * The writes of the delivery path. One command is in flight at a time; everything that is asked for meanwhile goes with
 * the next one. A command is repeated until the database answers: after the first time it matches nothing, so that
 * repeating changes nothing.
 */
export function leasesOf(
  rows: Collection<DeliveryRow>,
  readAll: Database['readAll'],
): Pick<DeliveryStore, 'findDue' | 'lease' | 'markSending' | 'record' | 'release'> {
  /** @returns whether every row of the batch was changed */
  const write = createMicroBatcher(
    (): Batch => ({ results: [], marks: [], leases: [] }),
    async (batch) => {
      const writes = statementsOf(batch);
      const { modifiedCount } = await untilAnswered(() => rows.bulkWrite(writes as never, { ordered: false }));
      return modifiedCount === batch.results.length + batch.marks.length + batch.leases.length;
    },
  );

  /** Which of these have the state that a batch was to give them, after one that did not change all it was meant to. */
  async function heldBy(claim: string, status: DeliveryStatus, ids: readonly string[]): Promise<string[]> {
    const held = rows.find({ _id: { $in: [...ids] }, claim, status }, { projection: { _id: 1 } });
    return (await held.toArray()).map((row) => row._id);
  }

  return {
    async findDue(ids, channel, withinMs = 0) {
      const due = { $expr: { $lte: ['$due_at', { $add: ['$$NOW', withinMs] }] } };
      const filter = { _id: { $in: ids }, channel, status: 'waiting', ...due };
      return (await readAll<DeliveryRow>('deliveries', filter, { hint: '_id_' })).map(deliveryOf);
    },

    async lease(read, claim, leaseMs) {
      const ids = read.map(({ id }) => id);
      const isComplete = await write(({ leases }) => {
        for (const { id, fence } of read) leases.push({ id, claim, leaseMs, fence });
      });
      return isComplete ? ids : heldBy(claim, 'claimed', ids);
    },

    async markSending(ids, claim, leaseMs) {
      if (ids.length === 0) return [];
      const isComplete = await write(({ marks }) => {
        for (const id of ids) marks.push({ id, claim, leaseMs });
      });
      return isComplete ? [...ids] : heldBy(claim, 'sending', ids);
    },

    async record(ended, claim) {
      if (ended.length === 0) return;
      await write(({ results }) => {
        for (const result of ended) results.push({ claim, result });
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

/** As few statements as possible: each costs as much as ten rows. */
function statementsOf({ results, marks, leases }: Batch): object[] {
  return [
    ...groupBy(results, ({ claim }) => claim).flatMap((some) =>
      writesFor(
        some.map(({ result }) => result),
        { claim: some[0]?.claim, status: { $in: AWAITS_RESULT } },
      ),
    ),
    ...groupBy(marks, ({ claim, leaseMs }) => `${claim} ${leaseMs}`).map(markStatement),
    ...groupBy(leases, ({ claim, leaseMs, fence }) => `${claim} ${leaseMs} ${fence}`).map(leaseStatement),
  ];
}

function markStatement(alike: readonly Mark[]): object {
  const { claim, leaseMs } = alike[0] as Mark;
  const filter = { _id: inIds(alike), claim, status: 'claimed', $expr: { $gt: ['$lease_until', '$$NOW'] } };
  const marked = { status: 'sending', lease_until: { $add: ['$$NOW', leaseMs] } };
  return { updateMany: { filter, update: [{ $set: marked }], hint: '_id_' } };
}

function leaseStatement(alike: readonly Lease[]): object {
  const { claim, leaseMs, fence } = alike[0] as Lease;
  const filter = { _id: inIds(alike), status: 'waiting', fence: fence === 0 ? { $in: [null, 0] } : fence };
  const leased = {
    status: 'claimed',
    claim,
    lease_until: { $add: ['$$NOW', leaseMs] },
    fence: fence + 1,
    crashes: { $add: [{ $ifNull: ['$crashes', 0] }, 1] },
  };
  return { updateMany: { filter, update: [{ $set: leased }], hint: '_id_' } };
}

const inIds = (rows: readonly { id: string }[]) => ({ $in: rows.map(({ id }) => id) });
