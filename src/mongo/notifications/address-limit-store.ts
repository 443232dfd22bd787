import { digestOf } from '../../core/ids.ts';
import type { Delivery } from '../../notifications/delivery.ts';
import type { AddressLimit } from '../../notifications/fan-out/address-limit.ts';
import { sameAddressForm } from '../../people/contact.ts';
import type { Database } from '../database.ts';

/** Messages counted for one address and the person who entered it; the id is a digest that reveals neither. */
export type LimitRow = { _id: string; counted: { id: string; at: Date }[]; expires_at: Date };

const DAY = 86_400_000;

const idOf = ({ tenant_id, school_id, channel, given_by, address }: Delivery): string =>
  digestOf(tenant_id, school_id, channel, given_by ?? '', sameAddressForm(address ?? ''));

/** One row per unverified address and person who entered it; removed a day after the last message. */
export function addressLimitStore(database: Database): AddressLimit {
  const rows = database.collection('address_limits');
  return {
    async take(deliveries, limit) {
      const recent = {
        $filter: {
          input: { $ifNull: ['$counted', []] },
          as: 'one',
          cond: { $gt: ['$$one.at', { $subtract: ['$$NOW', DAY] }] },
        },
      };
      const writes = deliveries.map((delivery) => {
        const isFull = { $gte: [{ $size: '$$recent' }, limit] };
        const isKnown = { $in: [delivery.id, '$$recent.id'] };
        const more = { $concatArrays: ['$$recent', [{ id: delivery.id, at: '$$NOW' }]] };
        const counted = { $cond: [{ $or: [isKnown, isFull] }, '$$recent', more] };
        const update = [
          {
            $set: {
              counted: { $let: { vars: { recent }, in: counted } },
              expires_at: { $add: ['$$NOW', DAY] },
            },
          },
        ];
        return { updateOne: { filter: { _id: idOf(delivery) }, update, upsert: true } };
      });
      await rows.bulkWrite(writes);
      const found = await rows.find({ _id: { $in: [...new Set(deliveries.map(idOf))] } }).toArray();
      return new Set(found.flatMap((row) => row.counted.map(({ id }) => id)));
    },
  };
}
