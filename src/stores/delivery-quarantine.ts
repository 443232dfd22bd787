import type { DeliveryStore } from '../notifications/ports.ts';
import { scopeOf } from '../people/caller.ts';
import { type Collection, inTx } from './database.ts';
import { type DeliveryRow, deliveryOf } from './delivery-row.ts';

const HELD_AGAINST_IT = [
  'reason',
  'settled_at',
  'attempts',
  'errors',
  'crashes',
  'repeated',
  'queued_at',
  // What made it fail may be its text, mended since.
  'template_version',
];

/** What the delivery store does with rows in quarantine. */
export function quarantineOf(
  rows: Collection<DeliveryRow>,
): Pick<DeliveryStore, 'quarantined' | 'redrive' | 'discard'> {
  const held = (id: string, scope: Parameters<typeof scopeOf>[0]) => ({
    _id: id,
    ...scopeOf(scope),
    status: 'quarantined' as const,
  });
  return {
    async quarantined(scope, { after = '', limit }) {
      const filter = { ...scopeOf(scope), status: 'quarantined' as const, _id: { $gt: after } };
      const found = await rows.find(filter).sort({ _id: 1 }).limit(limit).toArray();
      return found.map((row) => deliveryOf(row as DeliveryRow));
    },

    async redrive(scope, id, tx) {
      const waiting = { status: 'waiting' as const, due_at: '$$NOW', redriven_at: '$$NOW' };
      const update = [{ $set: waiting }, { $unset: HELD_AGAINST_IT }];
      const row = await rows.findOneAndUpdate(held(id, scope), update, { returnDocument: 'after', ...inTx(tx) });
      return row ? deliveryOf(row as DeliveryRow) : null;
    },

    async discard(scope, id, tx) {
      const update = {
        $set: { status: 'failed' as const, reason: 'discarded' as const },
        $currentDate: { settled_at: true as const },
      };
      const row = await rows.findOneAndUpdate(held(id, scope), update, { returnDocument: 'after', ...inTx(tx) });
      return row ? deliveryOf(row as DeliveryRow) : null;
    },
  };
}
