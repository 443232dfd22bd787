import type { Delivery } from '../../notifications/delivery.ts';
import type { DigestStore } from '../../notifications/ports.ts';
import type { Collection } from '../collection.ts';
import { IS_STRING } from '../rows.ts';
import { type DeliveryRow, deliveryOf } from './delivery-row.ts';

/** Stored digests: every member names its digest, the first member lists all of them. */
export function deliveryDigests(rows: Collection<DeliveryRow>): DigestStore {
  return {
    async findDueDigestMembers(keys, channel) {
      const held = { digest_key: { $in: [...keys], ...IS_STRING }, status: 'waiting' as const };
      const due = { $expr: { $lte: ['$due_at', '$$NOW'] } };
      return (await rows.find({ ...held, channel, digest_id: null, ...due }, { hint: 'held' }).toArray()).map(
        deliveryOf,
      );
    },

    async createDigests(digests, claim) {
      const ours = { claim, status: 'claimed' as const };
      // The list first, so that no row names a digest whose members are unknown.
      const lists = digests.map(([first = '', ...others]) => ({
        updateOne: {
          filter: { _id: first, ...ours },
          update: { $set: { digest_id: first, digest_ids: [first, ...others] } },
        },
      }));
      const members = digests.flatMap(([first = '', ...others]) =>
        others.length === 0
          ? []
          : [{ updateMany: { filter: { _id: { $in: others }, ...ours }, update: { $set: { digest_id: first } } } }],
      );
      const { matchedCount } = await rows.bulkWrite([...lists, ...members], { ordered: true });
      if (matchedCount === digests.flat().length) return digests.map(([first = '']) => first);
      const leased = await rows.find({ _id: { $in: digests.flat() }, ...ours }, { projection: { _id: 1 } }).toArray();
      const ids = new Set(leased.map(({ _id }) => _id));
      return digests.filter((digest) => digest.every((id) => ids.has(id))).map(([first = '']) => first);
    },

    async loadDigests(digest_ids) {
      const lists = await rows
        .find({ _id: { $in: [...new Set(digest_ids)] } }, { projection: { digest_ids: 1 } })
        .toArray();
      const ids = lists.flatMap((row) => row.digest_ids ?? []);
      const found = ids.length === 0 ? [] : await rows.find({ _id: { $in: ids } }).toArray();
      const byId = new Map(found.map((row) => [row._id, row]));
      const deliveriesOf = (members: readonly string[]): Delivery[] =>
        members.flatMap((id) => {
          const row = byId.get(id);
          return row ? [deliveryOf(row)] : [];
        });
      return new Map(
        lists.flatMap(({ _id, digest_ids: members }) => (members ? [[_id, deliveriesOf(members)] as const] : [])),
      );
    },
  };
}
