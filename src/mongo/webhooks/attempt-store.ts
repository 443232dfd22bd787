import { scopeOf } from '../../people/caller.ts';
import type { Attempt, AttemptStore, Lease } from '../../webhooks/webhook.ts';
import type { Database } from '../database.ts';
import { type Row, recordOf } from '../rows.ts';

/** Tries kept with an attempt, the latest ones: an attempt has more only after it was replayed. */
const TRIES = 20;
const AFTER = { returnDocument: 'after' } as const;

export function attemptStore(database: Database): AttemptStore {
  const rows = database.collection('webhook_attempts');
  const attemptOf = (row: Row<Attempt> | null) => row && recordOf<Attempt>(row);
  const leased = ({ id, fence }: Lease) => ({ _id: id, fence });
  return {
    async list(scope, webhook_id, { limit, before }) {
      const older = before === undefined ? {} : { fact_id: { $lt: before } };
      const found = rows.find({ webhook_id, ...scopeOf(scope), ...older }, { sort: { fact_id: -1 }, limit });
      return (await found.toArray()).map((row) => recordOf<Attempt>(row));
    },
    async replay(scope, webhook_id, id, now) {
      const update = { $set: { status: 'pending', due_at: now, failures: 0 } };
      return attemptOf(await rows.findOneAndUpdate({ _id: id, webhook_id, ...scopeOf(scope) }, update, AFTER));
    },
    async findDue(now) {
      const due: string[] = [];
      // Jumps from one subscription to the next within the index, however many attempts each has.
      for (let last = ''; ; ) {
        const filter = { status: 'pending', webhook_id: { $gt: last }, due_at: { $lte: now } };
        const next = await rows.findOne(filter, {
          projection: { webhook_id: 1 },
          sort: { webhook_id: 1 },
          hint: 'due',
        });
        if (!next) return due;
        last = next.webhook_id;
        due.push(last);
      }
    },
    async lease(webhook_id, now, until) {
      const filter = { webhook_id, status: 'pending', due_at: { $lte: now } };
      const update = { $set: { due_at: until }, $inc: { fence: 1 } };
      return attemptOf(await rows.findOneAndUpdate(filter, update, { sort: { due_at: 1 }, ...AFTER }));
    },
    async saveBody(lease, body) {
      return (await rows.updateOne(leased(lease), { $set: { body } })).matchedCount === 1;
    },
    async record(lease, { try: one, ...result }) {
      const update = { $set: result, $push: { tries: { $each: [one], $slice: -TRIES } } };
      return (await rows.updateOne(leased(lease), update)).matchedCount === 1;
    },
    async skip(lease) {
      await rows.updateOne(leased(lease), { $set: { status: 'skipped' } });
    },
  };
}
