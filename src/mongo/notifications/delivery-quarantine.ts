import type { Tx } from '../../core/transaction.ts';
import { RETRYABLE_REASONS } from '../../notifications/delivery.ts';
import type { DeliveryStore } from '../../notifications/ports.ts';
import { type Scope, scopeOf } from '../../people/caller.ts';
import { bounds, type Collection, during, inTx } from '../rows.ts';
import { type DeliveryRow, deliveriesOf, deliveryOf } from './delivery-row.ts';

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
