import { hashOf } from '../../core/ids.ts';
import type { Delivery } from '../../notifications/delivery.ts';
import type { AddressLimit } from '../../notifications/fan-out/fan-out.ts';
import { budgetDayOf, type SmsBudget } from '../../notifications/policy/sms-allowance.ts';
import { sameAddressForm } from '../../people/contact.ts';
import type { Database } from '../database.ts';
import { isDuplicate } from '../rows.ts';
import type { LimitRow } from '../stored-rows.ts';

const DAY = 86_400_000;

const idOf = ({ tenant_id, school_id, channel, given_by, address }: Delivery): string =>
  hashOf(tenant_id, school_id, channel, given_by ?? '', sameAddressForm(address ?? ''));

/** One row per unverified address and person who entered it; removed a day after the last message. */
export function addressLimitStore(database: Database): AddressLimit {
  const rows = database.collection('address_limits');
  const readRows = (deliveries: readonly Delivery[]): Promise<LimitRow[]> =>
    rows.find({ _id: { $in: [...new Set(deliveries.map(idOf))] } }).toArray();
  return {
    async take(deliveries, limit) {
      const isRecent = { $gt: ['$$this.at', { $subtract: ['$$NOW', DAY] }] };
      const recent = { $filter: { input: { $ifNull: ['$counted', []] }, cond: isRecent } };
      const expires_at = { $add: ['$$NOW', DAY] };
      const writes = deliveries.map((delivery) => {
        const isFull = { $gte: [{ $size: '$$recent' }, limit] };
        const isKnown = { $in: [delivery.id, '$$recent.id'] };
        const more = { $concatArrays: ['$$recent', [{ id: delivery.id, at: '$$NOW' }]] };
        const counted = { $cond: [{ $or: [isKnown, isFull] }, '$$recent', more] };
        const update = [{ $set: { counted: { $let: { vars: { recent }, in: counted } }, expires_at } }];
        return { updateOne: { filter: { _id: idOf(delivery) }, update, upsert: true } };
      });
      await rows.bulkWrite(writes);
      const found = await readRows(deliveries);
      return new Set(found.flatMap((row) => row.counted.map(({ id }) => id)));
    },

    preview() {
      const byAddress = new Map<string, Set<string>>();
      return {
        async take(deliveries, limit) {
          const since = new Date(database.clock.now().getTime() - DAY);
          for (const { _id, counted } of await readRows(deliveries))
            if (!byAddress.has(_id))
              byAddress.set(_id, new Set(counted.flatMap(({ id, at }) => (at > since ? id : []))));
          for (const delivery of deliveries) {
            const _id = idOf(delivery);
            const ids = byAddress.get(_id) ?? new Set();
            if (ids.size < limit) byAddress.set(_id, ids.add(delivery.id));
          }
          return new Set([...byAddress.values()].flatMap((ids) => [...ids]));
        },
      };
    },
  };
}

const KEPT_MS = 40 * 86_400_000;

/** One row per tenant and day, by the database's clock. */
export function smsBudgetStore(database: Database): SmsBudget {
  const rows = database.collection('sms_budgets');
  const idOf = (tenant_id: string, at = database.clock.now()): string => `${budgetDayOf(at)} ${tenant_id}`;
  return {
    async take(tenant_id, parts, limit) {
      if (parts > limit) return false;
      const fits = { _id: idOf(tenant_id), used: { $lte: limit - parts } };
      const more = { $inc: { used: parts } };
      const expires_at = new Date(database.clock.now().getTime() + KEPT_MS);
      try {
        await rows.updateOne(fits, { ...more, $setOnInsert: { expires_at } }, { upsert: true });
        return true;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        // The budget is used up, or another process has just inserted the day's row.
        return (await rows.updateOne(fits, more)).matchedCount > 0;
      }
    },

    async readUsed(tenant_id, at) {
      const row = await rows.findOne({ _id: idOf(tenant_id, at) });
      return row?.used ?? 0;
    },

    async giveBack(tenant_id, parts) {
      await rows.updateOne({ _id: idOf(tenant_id), used: { $gte: parts } }, { $inc: { used: -parts } });
    },
  };
}
