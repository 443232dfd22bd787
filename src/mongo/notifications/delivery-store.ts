import { REACHED_STATUSES, type Reason } from '../../notifications/delivery.ts';
import type { DeliveryStore } from '../../notifications/ports.ts';
import { scopeOf } from '../../people/caller.ts';
import { QUEUED_CHANNELS } from '../../people/channels.ts';
import type { Database } from '../database.ts';
import { bounds, exists, findEarliest, findRangeEnds, IS_DATE, IS_STRING, insertMissing } from '../rows.ts';
import { deliveryCounts } from './delivery-counts.ts';
import { deliveryDigests, deliveryLeases, resultWrites, stopWaiting } from './delivery-lease.ts';
import { deliveryOverview } from './delivery-overview.ts';
import { deliveryQuarantine } from './delivery-quarantine.ts';
import { type DeliveryRow, deliveriesOf, deliveryOf, deliveryRowOf, PLACES_OF_PERSON } from './delivery-row.ts';
import { notifiedQueries } from './notified-deliveries.ts';
import { providerReports } from './provider-report-store.ts';

/** Leases and due times are compared with and set from the database's clock (`$$NOW`), never a worker's. */
export function deliveryStore(database: Database): DeliveryStore {
  const rows = database.collection('deliveries');
  /** Digest members must be in one job, because two jobs would send two messages. */
  const findDigestMembers = async (queueable: object, taken: readonly DeliveryRow[]) => {
    const keys = [...new Set(taken.flatMap((row) => row.digest_key ?? []))];
    if (keys.length === 0) return [];
    const members = {
      ...queueable,
      digest_key: { $in: keys, ...IS_STRING },
      _id: { $nin: taken.map((row) => row._id) },
    };
    return rows.find(members, { projection: { _id: 1 }, hint: 'held' }).toArray();
  };

  return {
    ...deliveryCounts(database),

    async insertMany(deliveries) {
      const existing = await insertMissing(rows, deliveries.map(deliveryRowOf));
      if (existing.length === 0) return { collided: [] };
      return { collided: await deliveriesOf(rows.find({ _id: { $in: existing } })) };
    },

    async mergeReaders(drafts) {
      const writes = drafts.map(({ id, also, on_behalf_of, registration_ids, due_at }) => {
        const union = (field: string, more: readonly unknown[]) => ({
          [field]: { $setUnion: [{ $ifNull: [`$${field}`, []] }, { $literal: more }] },
        });
        const isSkipped = { $eq: ['$status', 'skipped'] };
        const reset = (field: string) => ({ [field]: { $cond: [isSkipped, '$$REMOVE', `$${field}`] } });
        return {
          updateOne: {
            filter: { _id: id, $or: [{ status: 'waiting' }, { status: 'skipped', reason: { $in: OPEN_TO_MORE } }] },
            update: [
              {
                $set: {
                  ...union('also', also),
                  ...union('on_behalf_of', on_behalf_of),
                  ...union('registration_ids', registration_ids),
                  ...reset('reason'),
                  ...reset('settled_at'),
                  ...reset('queued_at'),
                  status: 'waiting',
                  due_at: { $min: ['$due_at', due_at] },
                  // A worker that read the row before must not send the old version.
                  fence: { $add: [{ $ifNull: ['$fence', 0] }, 1] },
                },
              },
            ],
          },
        };
      });
      const { matchedCount } = await rows.bulkWrite(writes, { ordered: false });
      return matchedCount === drafts.length
        ? []
        : deliveriesOf(rows.find({ _id: { $in: drafts.map(({ id }) => id) } }));
    },

    async changeAddresses(changed) {
      const writes = changed.flatMap(({ id, fence, address, digest_key }) =>
        address === null
          ? []
          : {
              updateOne: {
                filter: { _id: id, status: 'waiting' },
                // A worker that read the row before must not send it to the old address.
                update: { $set: { address, digest_key, fence: fence + 1 }, $unset: { queued_at: 1 as const } },
              },
            },
      );
      if (writes.length > 0) await rows.bulkWrite(writes, { ordered: false });
      const without = changed.flatMap(({ id, address }) => (address === null ? id : []));
      if (without.length > 0) await stopWaiting(rows, { _id: { $in: without } }, 'no_contact');
    },

    async find(id) {
      const row = await rows.findOne({ _id: id });
      return row && deliveryOf(row);
    },

    async findLastText(channel, address) {
      const reached = { address, channel, status: { $in: REACHED_STATUSES } };
      const row = await rows.findOne(reached, { hint: 'texts', sort: { created_at: -1 } });
      return row && deliveryOf(row);
    },

    async listOfEvent(scope, event_id, { user_id, statuses, after, limit }) {
      const filter = {
        event_id,
        ...scopeOf(scope),
        $or: user_id && PLACES_OF_PERSON.map((field) => ({ [field]: user_id })),
        status: statuses && { $in: statuses },
        ...bounds('_id', after),
      };
      return deliveriesOf(rows.find(filter).sort({ _id: 1 }).limit(limit));
    },

    ...deliveryLeases(rows),
    ...notifiedQueries(rows),
    ...deliveryDigests(rows),

    ...deliveryQuarantine(rows),
    ...providerReports(rows, database),
    ...deliveryOverview(rows, database),

    isAnyInProgress() {
      const queued = { status: 'waiting', channel: { $in: QUEUED_CHANNELS }, queued_at: IS_DATE };
      const leased = { lease_until: IS_DATE };
      return exists(rows, { $or: [queued, leased] });
    },

    findNextDue(channels) {
      const waiting = { status: 'waiting', queued_at: null, channel: { $in: channels } };
      return findEarliest(rows, 'due_at', waiting, { hint: 'next_due' });
    },

    findWaitingTenants(channel, urgent) {
      const filter = queueable(channel, urgent, database.clock.now());
      // The next row of another tenant: a range of one.
      return findRangeEnds(rows, { filter, key: 'tenant_id', hint: 'waiting' }, '', 1);
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
      const filter = { ...queueable(channel, urgent, database.clock.now()), tenant_id };
      const found = rows
        .find(filter, { projection: { digest_key: 1 }, hint: 'waiting' })
        .sort({ due_at: 1 })
        .limit(limit);
      const first = await found.toArray();
      const ids = [...first, ...(await findDigestMembers(filter, first))].map((row) => row._id);
      if (ids.length > 0)
        await rows.updateMany({ _id: { $in: ids }, status: 'waiting' }, [{ $set: { queued_at: '$$NOW' } }]);
      return ids;
    },

    async requeueLost(channels, urgent, olderThanMs) {
      const before = new Date(database.clock.now().getTime() - olderThanMs);
      const lost = { status: 'waiting', channel: { $in: channels }, urgent, queued_at: { $lt: before } };
      const found = await rows.updateMany(lost, { $unset: { queued_at: 1 } }, { hint: 'waiting' });
      return found.modifiedCount;
    },

    async findDueInApp(limit) {
      const due = { status: 'waiting', channel: 'in_app', due_at: { $lte: database.clock.now() } };
      return deliveriesOf(rows.find(due, { hint: 'waiting' }).limit(limit));
    },

    expireWaiting(limit) {
      const expired = { expires_at: { $lte: database.clock.now(), ...IS_DATE } };
      return stopWaiting(rows, expired, 'expired', { hint: 'expiring', limit });
    },

    findNextExpiry: () =>
      findEarliest(rows, 'expires_at', { status: 'waiting', expires_at: IS_DATE }, { hint: 'expiring' }),

    async findExpiredLeases(limit) {
      const expired = { lease_until: { $lt: database.clock.now(), ...IS_DATE } };
      return deliveriesOf(rows.find(expired, { hint: 'leased' }).limit(limit));
    },

    async findOverdueUnknown(channel, limit) {
      return deliveriesOf(
        rows.find({ status: 'unknown', channel, due_at: { $lte: database.clock.now() } }).limit(limit),
      );
    },

    async recordReconciled(results) {
      const writes = results.flatMap(({ row: { claim, status, lease_until, fence }, result }) =>
        resultWrites([result], { claim, status, lease_until, fence }, { byReconciler: true }),
      );
      if (writes.length > 0) await rows.bulkWrite(writes, { ordered: false });
    },
  };
}

/** Skipped because of one reader: another reader of the same address may want the message. */
const OPEN_TO_MORE: readonly Reason[] = ['opted_out', 'registration_ended', 'left_school', 'not_guardian'];

const queueable = (channel: string, urgent: boolean, now: Date) => ({
  status: 'waiting',
  channel,
  urgent,
  queued_at: null,
  due_at: { $lte: now },
});
