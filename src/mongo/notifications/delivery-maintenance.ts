import type { DeliveryStore, DeliveryTally } from '../../notifications/ports.ts';
import { scopeOf } from '../../people/caller.ts';
import type { Database } from '../database.ts';
import { deliveryCounts } from './delivery-counts.ts';

/** Counts deliveries and expires waiting ones. */
export function deliveryMaintenance(
  database: Database,
): Pick<DeliveryStore, 'countOutcomes' | 'countByFact' | 'expireWaiting'> {
  const rows = database.collection('deliveries');
  const counts = deliveryCounts(database);
  return {
    countOutcomes: (scope, event_id) => counts.countOutcomes(event_id, { event_id, ...scopeOf(scope) }),

    async countByFact(scope, event_id, trigger) {
      const _id = { fact_id: '$fact_id', status: '$status', reason: { $ifNull: ['$reason', null] } };
      const groups = rows.aggregate<{ _id: Omit<DeliveryTally, 'count'>; count: number }>([
        { $match: { event_id, ...scopeOf(scope), trigger } },
        { $group: { _id, count: { $sum: 1 } } },
      ]);
      return (await groups.toArray()).map((group) => ({ ...group._id, count: group.count }));
    },

    async expireWaiting(limit) {
      const waiting = { status: 'waiting' as const, expires_at: { $lte: database.clock.now() } };
      const found = await rows
        .find(waiting, { projection: { _id: 1 }, hint: 'expiring' })
        .limit(limit)
        .toArray();
      if (found.length === 0) return 0;
      const { modifiedCount } = await rows.updateMany({ _id: { $in: found.map(({ _id }) => _id) }, ...waiting }, [
        { $set: { status: 'skipped', reason: 'expired', settled_at: '$$NOW' } },
        { $unset: ['queued_at'] },
      ]);
      return modifiedCount;
    },
  };
}
