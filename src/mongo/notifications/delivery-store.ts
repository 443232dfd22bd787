import type { Delivery, Reason } from '../../notifications/delivery.ts';
import type { DeliveryStore } from '../../notifications/ports.ts';
import { scopeOf } from '../../people/caller.ts';
import type { Database } from '../database.ts';
import { insertMissing } from '../insert-missing.ts';
import { digestsOf } from './delivery-digests.ts';
import { leasesOf } from './delivery-lease.ts';
import { deliveryMaintenance } from './delivery-maintenance.ts';
import { overviewOf } from './delivery-overview.ts';
import { quarantineOf } from './delivery-quarantine.ts';
import { type DeliveryRow, deliveryOf, deliveryRowOf, PLACES_OF_PERSON } from './delivery-row.ts';
import { writesFor } from './delivery-writes.ts';
import { notifiedQueries } from './notified-deliveries.ts';
import { newsOf } from './provider-report-store.ts';

/** Leases and due times are compared with and set from the database's clock (`$$NOW`), never a worker's. */
export function deliveryStore(database: Database): DeliveryStore {
  const rows = database.collection<DeliveryRow>('deliveries');
  /** What waited for the same mornings is on one job with them: two jobs would make two messages of it. */
  const matesToQueue = async (feedable: object, taken: readonly DeliveryRow[]) => {
    const keys = [...new Set(taken.flatMap((row) => row.digest_key ?? []))];
    if (keys.length === 0) return [];
    const mates = { ...feedable, digest_key: { $in: keys }, _id: { $nin: taken.map((row) => row._id) } };
    return rows.find(mates as never, { projection: WAKE, hint: 'held' }).toArray();
  };
  const read = async (found: { toArray(): Promise<unknown[]> }): Promise<Delivery[]> =>
    ((await found.toArray()) as DeliveryRow[]).map(deliveryOf);

  return {
    ...deliveryMaintenance(database),

    async insertMany(deliveries) {
      const existing = await insertMissing(rows as never, deliveries.map(deliveryRowOf));
      if (existing.length === 0) return { collided: [] };
      return { collided: await read(rows.find({ _id: { $in: existing } })) };
    },

    async mergeReaders(joined) {
      const writes = joined.map(({ id, also, on_behalf_of, registration_ids }) => {
        const together = (field: string, more: readonly unknown[]) => ({
          [field]: { $setUnion: [{ $ifNull: [`$${field}`, []] }, { $literal: more }] },
        });
        const isSkipped = { $eq: ['$status', 'skipped'] };
        const open = (field: string) => ({ [field]: { $cond: [isSkipped, '$$REMOVE', `$${field}`] } });
        return {
          updateOne: {
            filter: {
              _id: id,
              $or: [{ status: 'waiting' }, { status: 'skipped', reason: { $in: [...OPEN_TO_MORE] } }],
            },
            update: [
              {
                $set: {
                  ...together('also', also),
                  ...together('on_behalf_of', on_behalf_of),
                  ...together('registration_ids', registration_ids),
                  ...open('reason'),
                  ...open('settled_at'),
                  ...open('queued_at'),
                  status: 'waiting',
                  // Whoever has read it before this must not send it as it was.
                  fence: { $add: [{ $ifNull: ['$fence', 0] }, 1] },
                },
              },
            ],
          },
        };
      });
      await rows.bulkWrite(writes as never, { ordered: false });
    },

    async findInFlight(scope, event_id, channel, user_ids, except) {
      const filter = {
        event_id,
        user_id: { $in: [...user_ids] },
        channel,
        status: { $in: ['claimed' as const, 'sending' as const] },
        _id: { $nin: [...except] },
        ...scopeOf(scope),
      };
      return (await rows.find(filter, { projection: { user_id: 1 } }).toArray()).map((row) => row.user_id);
    },

    async find(id) {
      const row = await rows.findOne({ _id: id });
      return row ? deliveryOf(row as DeliveryRow) : null;
    },

    async listOfEvent(scope, event_id, { user_id, statuses, after, limit }) {
      const filter = {
        event_id,
        ...scopeOf(scope),
        ...(user_id ? { $or: PLACES_OF_PERSON.map((field) => ({ [field]: user_id })) } : {}),
        ...(statuses ? { status: { $in: [...statuses] } } : {}),
        ...(after ? { _id: { $gt: after } } : {}),
      };
      return read(
        rows
          .find(filter as never)
          .sort({ _id: 1 })
          .limit(limit),
      );
    },

    ...leasesOf(rows, database.readAll),
    ...notifiedQueries(rows),
    ...digestsOf(rows),

    ...quarantineOf(rows),
    ...newsOf(rows),
    ...overviewOf(rows, database),

    async isAnyWaiting(channels, urgent) {
      const filter = feedable({ $in: [...channels] }, urgent, database.clock.now());
      return (await rows.findOne(filter as never, { projection: { _id: 1 }, hint: 'waiting' })) !== null;
    },

    async findWaitingTenants(channel, urgent) {
      const tenants: string[] = [];
      for (;;) {
        const filter = { ...feedable(channel, urgent, database.clock.now()), tenant_id: { $gt: tenants.at(-1) ?? '' } };
        const next = await rows.findOne(filter as never, {
          sort: { tenant_id: 1 },
          projection: { tenant_id: 1 },
          hint: 'waiting',
        });
        if (!next) return tenants;
        tenants.push(next.tenant_id);
      }
    },

    async countWaitingByTenant(channel, urgent, limit) {
      const due = { status: 'waiting', channel, urgent, due_at: { $lte: database.clock.now() } };
      const counted = rows.aggregate<{ _id: string; count: number }>(
        [{ $match: due }, { $limit: limit }, { $group: { _id: '$tenant_id', count: { $sum: 1 } } }],
        { hint: 'waiting' },
      );
      return new Map((await counted.toArray()).map(({ _id, count }) => [_id, count]));
    },

    async takeForQueue(channel, urgent, tenant_id, limit) {
      const filter = { ...feedable(channel, urgent, database.clock.now()), tenant_id };
      const found = rows
        .find(filter as never, { projection: WAKE, hint: 'waiting' })
        .sort({ due_at: 1 })
        .limit(limit);
      const first = await found.toArray();
      const taken = [...first, ...(await matesToQueue(filter, first))];
      const ids = taken.map((row) => row._id);
      if (ids.length > 0)
        await rows.updateMany({ _id: { $in: ids }, status: 'waiting' }, [{ $set: { queued_at: '$$NOW' } }]);
      return taken.map((row) => ({ id: row._id, suspect: (row.crashes ?? 0) > 0 }));
    },

    async requeueLost(channels, urgent, olderThanMs) {
      const before = new Date(database.clock.now().getTime() - olderThanMs);
      const lost = { status: 'waiting', channel: { $in: [...channels] }, urgent, queued_at: { $lt: before } };
      const found = await rows.updateMany(lost as never, { $unset: { queued_at: 1 } } as never, { hint: 'waiting' });
      return found.modifiedCount;
    },

    async findExpiredLeases(limit) {
      return read(rows.find({ lease_until: { $lt: database.clock.now() } }).limit(limit));
    },

    async recordExpired(results) {
      const writes = results.flatMap(({ row: { claim, status, lease_until }, result }) =>
        writesFor([result], { claim, status, lease_until }, { byReconciler: true }),
      );
      if (writes.length > 0) await rows.bulkWrite(writes as never, { ordered: false });
    },

    async findOverdueUnknown(channel, limit) {
      return read(rows.find({ status: 'unknown', channel, due_at: { $lte: database.clock.now() } }).limit(limit));
    },

    async recordUnknown(results) {
      const writes = writesFor(results, { status: 'unknown' }, { byReconciler: true });
      if (writes.length > 0) await rows.bulkWrite(writes as never, { ordered: false });
    },
  };
}

/** Skipped for its readers' sake: somebody else at the same address may want it. */
const OPEN_TO_MORE: readonly Reason[] = ['opted_out', 'registration_ended'];

const WAKE = { crashes: 1, digest_key: 1 };

const feedable = (channel: string | { $in: string[] }, urgent: boolean, now: Date) => ({
  status: 'waiting' as const,
  channel,
  urgent,
  queued_at: null,
  due_at: { $lte: now },
});
