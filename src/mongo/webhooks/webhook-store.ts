import { scopeOf } from '../../people/caller.ts';
import type { Webhook, WebhookStore } from '../../webhooks/webhook.ts';
import { type Database, inTx } from '../database.ts';
import { type Row, recordOf, rowOf } from '../rows.ts';

const AFTER = { returnDocument: 'after' } as const;

export function webhookStore(database: Database): WebhookStore {
  const rows = database.collection('webhooks');
  const webhookOf = (row: Row<Webhook> | null) => row && recordOf<Webhook>(row);
  return {
    async list(scope) {
      return (await rows.find(scopeOf(scope)).sort({ _id: 1 }).toArray()).map((row) => recordOf<Webhook>(row));
    },
    find: async (scope, id) => webhookOf(await rows.findOne({ _id: id, ...scopeOf(scope) })),
    async insert(webhook) {
      await rows.insertOne(rowOf(webhook));
    },
    async change(scope, id, fields) {
      // An empty `$set` is an error.
      const update = { $set: { ...fields, ...scopeOf(scope) } };
      return webhookOf(await rows.findOneAndUpdate({ _id: id, ...scopeOf(scope) }, update, AFTER));
    },
    async remove(scope, id) {
      const { deletedCount } = await rows.deleteOne({ _id: id, ...scopeOf(scope) });
      await database.collection('webhook_attempts').deleteMany({ webhook_id: id, ...scopeOf(scope) });
      return deletedCount === 1;
    },
    load: async (id) => webhookOf(await rows.findOne({ _id: id })),
    async markHealthy(id) {
      await rows.updateOne({ _id: id, failing_since: { $ne: null } }, { $set: { failing_since: null } });
    },
    async markFailing(id, now, forgetBefore) {
      const isSameOutage = { $gt: ['$last_failure_at', forgetBefore] };
      const failing_since = { $cond: [isSameOutage, { $ifNull: ['$failing_since', now] }, now] };
      const update = [{ $set: { failing_since, last_failure_at: now } }];
      return (await rows.findOneAndUpdate({ _id: id }, update, AFTER))?.failing_since ?? now;
    },
    async disable(id, reason, now, tx) {
      const update = { $set: { enabled: false, disabled_reason: reason, disabled_at: now } };
      return (await rows.updateOne({ _id: id, enabled: true }, update, inTx(tx))).modifiedCount === 1;
    },
  };
}
