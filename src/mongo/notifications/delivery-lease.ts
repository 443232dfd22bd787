import { groupBy } from '../../core/groups.ts';
import { createMicroBatcher } from '../../core/micro-batch.ts';
import type { DeliveryStatus } from '../../notifications/delivery.ts';
import type { DeliveryResult, DeliveryStore } from '../../notifications/ports.ts';
import type { Collection } from '../collection.ts';
import { retryUntilAnswered } from '../mongo-errors.ts';
import { type DeliveryRow, deliveryOf } from './delivery-row.ts';
import { resultWrites } from './delivery-writes.ts';

/** The states in which a result counts: the reconciler may have moved a row with an expired lease to the last three. */
const AWAITS_RESULT: DeliveryStatus[] = ['sending', 'claimed', 'unknown', 'waiting'];

/** One row to lease, as it was read, or to mark as sending, as it was leased. */
type Lease = { id: string; fence: number; claim: string; leaseMs: number };
/** The writes of one command. */
type Batch = { results: { claim: string; result: DeliveryResult }[]; leases: Lease[] };

/**
 * The writes of the delivery path, micro-batched: calls made while a command runs join the next one. Marks have commands of
 * their own, because a connection waits for them, and results take longer. Repeats a command until the database answers; a
 * repeated command matches nothing.
 */
export function deliveryLeases(
  rows: Collection<DeliveryRow>,
): Pick<DeliveryStore, 'findDue' | 'lease' | 'markSending' | 'record' | 'release'> {
  /** @returns how many rows were changed */
  const write = async (statements: object[]): Promise<number> =>
    (await retryUntilAnswered(() => rows.bulkWrite(statements as never, { ordered: false }))).modifiedCount;
  /** @returns whether every row of the batch was changed */
  const writeBatch = createMicroBatcher(
    (): Batch => ({ results: [], leases: [] }),
    async (batch) => (await write(statementsOf(batch))) === batch.results.length + batch.leases.length,
  );
  const writeMarks = createMicroBatcher(
    (): Lease[] => [],
    async (marks) => (await write(markStatements(marks))) === marks.length,
  );

  /** After an incomplete batch: the ids that have the intended state. */
  async function findHeldBy(claim: string, status: DeliveryStatus, ids: readonly string[]): Promise<string[]> {
    const held = rows.find({ _id: { $in: [...ids] }, claim, status }, { projection: { _id: 1 } });
    return (await held.toArray()).map((row) => row._id);
  }

  return {
    async findDue(ids, channel, withinMs = 0) {
      const due = { $expr: { $lte: ['$due_at', { $add: ['$$NOW', withinMs] }] } };
      const filter = { _id: { $in: ids }, channel, status: 'waiting', ...due };
      return (await rows.find(filter, { hint: '_id_' }).toArray()).map(deliveryOf);
    },

    async lease(read, claim, leaseMs) {
      const ids = read.map(({ id }) => id);
      const isComplete = await writeBatch(({ leases }) => {
        for (const { id, fence } of read) leases.push({ id, claim, leaseMs, fence });
      });
      return isComplete ? ids : findHeldBy(claim, 'claimed', ids);
    },

    async markSending(leased, claim, leaseMs) {
      if (leased.length === 0) return [];
      const ids = leased.map(({ id }) => id);
      const isComplete = await writeMarks((marks) => {
        for (const { id, fence } of leased) marks.push({ id, claim, leaseMs, fence });
      });
      return isComplete ? ids : findHeldBy(claim, 'sending', ids);
    },

    async record(ended, claim) {
      if (ended.length === 0) return;
      await writeBatch(({ results }) => {
        for (const result of ended) results.push({ claim, result });
      });
    },

    async release(ids, afterMs = 0) {
      if (ids.length === 0) return;
      const filter = { _id: { $in: [...ids] }, status: 'waiting' as const };
      const due = afterMs > 0 ? { due_at: { $add: ['$$NOW', afterMs] } } : {};
      await retryUntilAnswered(() => rows.updateMany(filter, [{ $set: due }, { $unset: ['queued_at'] }]));
    },
  };
}

/**
 * Uses as few statements as possible, because each costs as much as ten rows: the messages that were sent share one, whatever
 * their claims, because it stays true if another claim of this process holds the row by now.
 */
function statementsOf({ results, leases }: Batch): object[] {
  return [
    ...groupBy(results, ({ claim, result }) => (result.to === 'sent' ? 'sent' : claim)).flatMap((some) =>
      resultWrites(
        some.map(({ result }) => result),
        { claim: inClaims(some), status: { $in: AWAITS_RESULT } },
      ),
    ),
    ...groupBy(leases, ({ claim, leaseMs, fence }) => `${claim} ${leaseMs} ${fence}`).map(leaseStatement),
  ];
}

/** Marks of several claims share a statement: each row and fence has been leased by one of them only. */
const markStatements = (marks: readonly Lease[]): object[] =>
  groupBy(marks, ({ leaseMs, fence }) => `${leaseMs} ${fence}`).map(markStatement);

function markStatement(alike: readonly Lease[]): object {
  const { leaseMs, fence } = alike[0] as Lease;
  const held = { _id: inIds(alike), claim: inClaims(alike), fence, status: 'claimed' };
  const filter = { ...held, $expr: { $gt: ['$lease_until', '$$NOW'] } };
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
const inClaims = (rows: readonly { claim: string }[]) => ({ $in: [...new Set(rows.map(({ claim }) => claim))] });
