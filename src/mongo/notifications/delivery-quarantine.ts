import { RETRYABLE_REASONS } from '../../notifications/delivery.ts';
import type { DeliveryStore } from '../../notifications/ports.ts';
import { scopeOf } from '../../people/caller.ts';
import type { Collection } from '../collection.ts';
import { inTx } from '../database.ts';
import { during } from '../rows.ts';
import { type DeliveryRow, deliveryOf } from './delivery-row.ts';

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

const RESET = [
  { $set: { status: 'waiting' as const, due_at: '$$NOW', redriven_at: '$$NOW' } },
  { $unset: FAILURE_FIELDS },
];

/** Staff actions on quarantined and failed deliveries. */
export function deliveryQuarantine(
  rows: Collection<DeliveryRow>,
): Pick<DeliveryStore, 'listQuarantined' | 'redrive' | 'discard' | 'retryFailed'> {
  const quarantined = (id: string, scope: Parameters<typeof scopeOf>[0]) => ({
    _id: id,
    ...scopeOf(scope),
    status: 'quarantined' as const,
  });
  return {
    async listQuarantined(scope, { after = '', limit }) {
      const filter = { ...scopeOf(scope), status: 'quarantined' as const, _id: { $gt: after } };
      const found = await rows.find(filter).sort({ _id: 1 }).limit(limit).toArray();
      return found.map(deliveryOf);
    },

    async redrive(scope, id, tx) {
      const row = await rows.findOneAndUpdate(quarantined(id, scope), RESET, { returnDocument: 'after', ...inTx(tx) });
      return row ? deliveryOf(row) : null;
    },

    async discard(scope, id, tx) {
      const update = {
        $set: { status: 'failed' as const, reason: 'discarded' as const },
        $currentDate: { settled_at: true as const },
      };
      const row = await rows.findOneAndUpdate(quarantined(id, scope), update, { returnDocument: 'after', ...inTx(tx) });
      return row ? deliveryOf(row) : null;
    },

    async retryFailed(scope, { event_id, channel, reason, from, to }, limit, tx) {
      const filter = {
        ...scopeOf(scope),
        status: 'failed' as const,
        reason: reason ?? { $in: [...RETRYABLE_REASONS] },
        ...during('settled_at', from, to),
        ...(event_id === undefined ? {} : { event_id }),
        ...(channel === undefined ? {} : { channel }),
      };
      const found = await rows
        .find(filter, { projection: { event_id: 1 }, ...inTx(tx) })
        .sort({ settled_at: 1 })
        .limit(limit + 1)
        .toArray();
      const taken = found.slice(0, limit);
      const byEvent = new Map<string, number>();
      for (const { event_id: id = '' } of taken) byEvent.set(id, (byEvent.get(id) ?? 0) + 1);
      if (taken.length > 0) await rows.updateMany({ _id: { $in: taken.map(({ _id }) => _id) } }, RESET, inTx(tx));
      return { byEvent, has_more: found.length > limit };
    },
  };
}
