import { groupBy } from '../../core/groups.ts';
import { newId } from '../../core/ids.ts';
import type { Fact } from '../../outbox/fact.ts';
import { isWebhookType } from '../../outbox/shown-facts.ts';
import { scopeKey, scopeOf } from '../../people/caller.ts';
import type { Attempt, AttemptStore, Lease, Webhook, WebhookStore } from '../../webhooks/webhook.ts';
import type { Database } from '../database.ts';
import { foundRecord, inTx, type Row, recordsOf, rowOf } from '../rows.ts';

const AFTER = { returnDocument: 'after' } as const;

export function webhookStore(database: Database): WebhookStore {
  const rows = database.collection('webhooks');
  return {
    list: (scope) => recordsOf(rows.find(scopeOf(scope)).sort({ _id: 1 })),
    find: (scope, id, tx) => foundRecord<Webhook>(rows.findOne({ _id: id, ...scopeOf(scope) }, inTx(tx))),
    insert: (webhook) => rows.insertOne(rowOf(webhook)),
    change(scope, id, fields, tx) {
      // An empty `$set` is an error.
      const update = { $set: { ...fields, ...scopeOf(scope) } };
      const how = { ...AFTER, ...inTx(tx) };
      return foundRecord<Webhook>(rows.findOneAndUpdate({ _id: id, ...scopeOf(scope) }, update, how));
    },
    async remove(scope, id) {
      const { deletedCount } = await rows.deleteOne({ _id: id, ...scopeOf(scope) });
      await database.collection('webhook_attempts').deleteMany({ webhook_id: id, ...scopeOf(scope) });
      return deletedCount === 1;
    },
    load: (id) => foundRecord<Webhook>(rows.findOne({ _id: id })),
    async markHealthy(id) {
      await rows.updateOne({ _id: id, failing_since: { $ne: null } }, { $set: { failing_since: null } });
    },
    async markFailing(id, now, forgetBefore) {
      const isSameOutage = { $gt: ['$last_failure_at', forgetBefore] };
      const failing_since = { $cond: [isSameOutage, { $ifNull: ['$failing_since', now] }, now] };
      const update = [{ $set: { failing_since, last_failure_at: now } }];
      return (await rows.findOneAndUpdate({ _id: id }, update, AFTER))?.failing_since ?? now;
    },
    async noteWarning(id, failing_since, tx) {
      const unknown = { _id: id, enabled: true, failing_since, warned_of: { $ne: failing_since } };
      return (await rows.updateOne(unknown, { $set: { warned_of: failing_since } }, inTx(tx))).modifiedCount === 1;
    },
    async disable({ id, url }, reason, now, tx) {
      const update = { $set: { enabled: false, disabled_reason: reason, disabled_at: now } };
      return (await rows.updateOne({ _id: id, url, enabled: true }, update, inTx(tx))).modifiedCount === 1;
    },
  };
}

/** How many of its latest tries an attempt keeps; only an attempt that was replayed has more. */
const TRIES = 20;

export function attemptStore(database: Database): AttemptStore {
  const rows = database.collection('webhook_attempts');
  const leased = ({ id, fence, user_id }: Lease) => ({ _id: id, fence, user_id });
  return {
    list(scope, webhook_id, { limit, before }) {
      const older = before === undefined ? {} : { fact_id: { $lt: before } };
      return recordsOf(rows.find({ webhook_id, ...scopeOf(scope), ...older }, { sort: { fact_id: -1 }, limit }));
    },
    async replay(scope, webhook_id, id, now) {
      // A try that is under way must not end the replay.
      const update = { $set: { status: 'pending', due_at: now, failures: 0 }, $inc: { fence: 1 } };
      const asked = { _id: id, webhook_id, ...scopeOf(scope) };
      const attempt = await foundRecord<Attempt>(rows.findOneAndUpdate(asked, update, AFTER));
      database.work.notify();
      return attempt;
    },
    async findNextDue() {
      const all: Pick<Attempt, 'webhook_id' | 'due_at'>[] = [];
      // Jumps from one subscription to the next within the index, however many attempts each has.
      for (let last = ''; ; ) {
        const next = await rows.findOne(
          { status: 'pending', webhook_id: { $gt: last } },
          { projection: { webhook_id: 1, due_at: 1, _id: 0 }, sort: { webhook_id: 1, due_at: 1 }, hint: 'due' },
        );
        if (!next) return all.sort((a, b) => a.due_at.getTime() - b.due_at.getTime());
        last = next.webhook_id;
        all.push(next);
      }
    },
    lease(webhook_id, now, until) {
      const filter = { webhook_id, status: 'pending', due_at: { $lte: now } };
      const update = { $set: { due_at: until }, $inc: { fence: 1 } };
      return foundRecord<Attempt>(rows.findOneAndUpdate(filter, update, { sort: { due_at: 1 }, ...AFTER }));
    },
    saveBody: async (lease, body) => (await rows.updateOne(leased(lease), { $set: { body } })).matchedCount === 1,
    async record(lease, { try: one, ...result }) {
      const update = { $set: result, $push: { tries: { $each: [one], $slice: -TRIES } } };
      return (await rows.updateOne(leased(lease), update)).matchedCount === 1;
    },
    async skip(lease) {
      await rows.updateOne(leased(lease), { $set: { status: 'skipped' } });
    },
  };
}

/**
 * Plans an attempt for each fact and subscription that wants it. Of a subscription that is off it is skipped, and can be
 * replayed.
 */
export function attemptPlanner(database: Database): (facts: readonly Fact[]) => Promise<Row<Attempt>[]> {
  const webhooks = database.collection('webhooks');
  return async (facts) => {
    const wanted = facts.filter(({ type }) => isWebhookType(type));
    if (wanted.length === 0) return [];
    const now = database.clock.now();
    const schools = groupBy(wanted, scopeKey).map(([first]) => scopeOf(first));
    const projection = { tenant_id: 1, school_id: 1, types: 1, enabled: 1 };
    const known = await webhooks.find({ $or: schools }, { projection }).toArray();
    return known.flatMap(({ _id, types, enabled, ...school }) =>
      wanted
        .filter((fact) => scopeKey(fact) === scopeKey(school) && types.some((type) => type === fact.type))
        .map((fact) => rowOf(newAttempt(fact, _id, enabled ? 'pending' : 'skipped', now))),
    );
  };
}

const newAttempt = (fact: Fact, webhook_id: string, status: Attempt['status'], now: Date): Attempt => ({
  ...scopeOf(fact),
  id: newId(),
  webhook_id,
  fact_id: fact.id,
  event_id: fact.event_id,
  user_id: ('user_id' in fact.data && fact.data.user_id) || null,
  type: fact.type as Attempt['type'],
  status,
  body: null,
  created_at: now,
  due_at: now,
  fence: 0,
  failures: 0,
  tries: [],
});
