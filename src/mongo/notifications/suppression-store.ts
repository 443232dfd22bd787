import { hashOf } from '../../core/ids.ts';
import { type SuppressionStore, suppressedForMs } from '../../notifications/providers/suppression.ts';
import type { Scope } from '../../people/caller.ts';
import type { Channel } from '../../people/channels.ts';
import { sameAddressForm } from '../../people/contact.ts';
import type { Database } from '../database.ts';
import { bounds, during, findIds, inTx } from '../rows.ts';
import { literal } from './delivery-row.ts';

const idOf = (tenant_id: string, channel: Channel, address: string): string =>
  hashOf('suppression', tenant_id, channel, sameAddressForm(address));
/** A hash that does not reveal the number, because an opt-out outlives the person's entry in the directory. */
const stopIdOf = (sender: string, address: string): string => hashOf('stop', sender, sameAddressForm(address));

export function suppressionStore(database: Database): SuppressionStore {
  const rows = database.collection('suppressions');
  const of = ({ tenant_id, school_id }: Scope) => ({ tenant_id, schools: school_id });

  return {
    async add(scope, channel, address, { kind, why }) {
      const { tenant_id, school_id } = scope;
      const _id = idOf(tenant_id, channel, address);
      // Bounces of messages that were in flight at the same time count once.
      const isHeld = { $gt: ['$until', '$$NOW'] };
      const before = { $ifNull: ['$times', 0] };
      const times = kind === 'complained' ? before : { $cond: [isHeld, before, { $add: [before, 1] }] };
      const upTo = (n: number, otherwise: unknown) => ({
        $cond: [{ $lte: ['$times', n] }, suppressedForMs(n), otherwise],
      });
      const wait = upTo(1, upTo(2, suppressedForMs(3)));
      const key = { tenant_id: literal(tenant_id), channel, address: literal(sameAddressForm(address)) };
      // A bounce blocks more than a complaint, so a complaint does not replace it.
      const isBounced = { $and: [{ $eq: ['$kind', 'bounced'] }, isHeld] };
      const keeps = kind === 'complained' && isBounced;
      await rows.updateOne(
        { _id },
        [
          { $set: { ...key, times, schools: { $setUnion: [{ $ifNull: ['$schools', []] }, [literal(school_id)]] } } },
          {
            $set: {
              since: { $cond: [keeps, '$since', '$$NOW'] },
              why: { $cond: [keeps, '$why', literal(why)] },
              until: { $cond: [keeps, '$until', kind === 'complained' ? null : { $add: ['$$NOW', wait] }] },
              kind: { $cond: [keeps, '$kind', kind] },
              complained: { $or: [{ $eq: ['$complained', true] }, kind === 'complained'] },
            },
          },
        ],
        { upsert: true },
      );
    },

    async findSuppressed(tenant_id, channel, addresses, { urgent }) {
      if (addresses.length === 0) return new Set();
      const ids = addresses.map((address) => idOf(tenant_id, channel, address));
      const bounced = { kind: 'bounced', until: { $gt: database.clock.now() } };
      const active = { $or: urgent ? [bounced] : [bounced, { complained: true }] };
      const filter = { _id: { $in: ids }, ...active };
      const found = await rows.find(filter, { projection: { address: 1 } }).toArray();
      return new Set(found.map((row) => row.address));
    },

    async recordBlocked(scope, channel, addresses) {
      const ids = addresses.map((address) => idOf(scope.tenant_id, channel, address));
      if (ids.length > 0) await rows.updateMany({ _id: { $in: ids } }, { $addToSet: { schools: scope.school_id } });
    },

    async list(scope, { addresses, after, limit }) {
      const theirs = addresses ? { address: { $in: addresses.map(sameAddressForm) } } : {};
      const now = database.clock.now();
      const active = { $or: [{ until: { $gt: now } }, { complained: true }] };
      const found = rows
        .find({ ...of(scope), ...theirs, ...active, ...bounds('_id', after) })
        .sort({ _id: 1 })
        .limit(limit);
      return (await found.toArray()).map(({ _id, channel, address, why, since, times, ...row }) => {
        const until = row.until !== null && row.until > now ? row.until : null;
        const kind = until === null ? 'complained' : row.kind;
        return { id: _id, channel, address, kind, why, since, until, times };
      });
    },

    lift: async (scope, id, tx) => (await rows.deleteOne({ _id: id, ...of(scope) }, inTx(tx))).deletedCount > 0,

    async liftBounced(scope, { channel, reason, from, to }, limit, tx) {
      const filter = {
        ...of(scope),
        kind: 'bounced',
        until: { $gt: database.clock.now() },
        ...during('since', from, to),
        channel,
        why: reason,
      };
      const found = await findIds(rows, filter, { limit: limit + 1, ...inTx(tx) });
      const taken = { _id: { $in: found.slice(0, limit) } };
      const keepComplaint = { $set: { kind: 'complained', until: null, times: 0 } } as const;
      await rows.updateMany({ ...taken, complained: true }, keepComplaint, inTx(tx));
      await rows.deleteMany({ ...taken, complained: { $ne: true } }, inTx(tx));
      return { lifted: taken._id.$in.length, has_more: found.length > limit };
    },

    async removeComplaint(tenant_id, channel, address) {
      const _id = idOf(tenant_id, channel, address);
      const { deletedCount } = await rows.deleteOne({ _id, kind: 'complained' });
      if (deletedCount === 0) await rows.updateOne({ _id }, { $unset: { complained: 1 } });
    },

    async recordStop(sender, address) {
      const _id = stopIdOf(sender, address);
      // Values for the unique index, which no tenant and no person has.
      const values = { tenant_id: 'senders', channel: 'sms', address: _id };
      await rows.updateOne({ _id }, { $set: values, $currentDate: { since: true } }, { upsert: true });
    },

    async removeStop(sender, address) {
      await rows.deleteOne({ _id: stopIdOf(sender, address) });
    },

    async findStopped(senders, addresses) {
      if (senders.length === 0 || addresses.length === 0) return new Set();
      const byId = new Map(
        addresses.flatMap((address) =>
          senders.map((sender) => [stopIdOf(sender, address), sameAddressForm(address)] as const),
        ),
      );
      const found = await findIds(rows, { _id: { $in: [...byId.keys()] } });
      return new Set(found.flatMap((id) => byId.get(id) ?? []));
    },
  };
}
