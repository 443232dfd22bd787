import { Refused } from '../core/errors.ts';
import { type IdempotencyStore, type StoredReply, TAKEN_OVER } from '../core/idempotency-record.ts';
import { newId } from '../core/ids.ts';
import { unlessContended } from '../core/transaction.ts';
import type { Database } from './database.ts';
import { inTx, isDuplicate } from './rows.ts';
import type { ReplyRow } from './stored-rows.ts';

const KEPT_MS = 24 * 3_600_000;
/**
 * After this time a retry may take over the key of a running request, which then can't commit any more. An erasure runs for a
 * little more than ten seconds if it waits for a fan-out.
 */
const LEASE_MS = 15_000;

/** The reply to a repeated request; null if it may take over the key. */
function answerRepeated(row: ReplyRow, request: string, now: Date, isOutdated: (stored: StoredReply) => boolean) {
  if (row.request !== request) return { kind: 'reused' } as const;
  if (!row.reply && row.running_until > now) return { kind: 'running' } as const;
  const reply = row.reply ?? row.outdated;
  return reply && !isOutdated(reply) ? ({ kind: 'stored', reply } as const) : null;
}

export function idempotencyStore(database: Database): IdempotencyStore {
  const rows = database.collection('replies');
  return {
    async begin(key, request, { tenant_id, school_id }, isOutdated = () => false) {
      const token = newId();
      const now = database.clock.now();
      const fresh = {
        tenant_id,
        school_id,
        request,
        mark: token,
        running_until: new Date(now.getTime() + LEASE_MS),
        expires_at: new Date(now.getTime() + KEPT_MS),
      };
      try {
        await rows.insertOne({ _id: key, ...fresh });
        return { kind: 'started', token };
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
      const row = await rows.findOne({ _id: key });
      if (!row) return { kind: 'running' };
      const isKept = row.expires_at > now;
      const repeated = isKept ? answerRepeated(row, request, now, isOutdated) : null;
      if (repeated) return repeated;
      const outdated = row.reply ?? row.outdated;
      const kept = isKept && outdated ? { outdated } : {};
      const unchanged = { _id: key, mark: row.mark, reply: { $exists: row.reply !== undefined } };
      // A transaction, because it conflicts with a first request that is committing right now and so keeps its key.
      const taking = database.transactOnce(
        async (tx) => (await rows.replaceOne(unchanged, { ...fresh, ...kept }, inTx(tx))).modifiedCount,
      );
      if ((await unlessContended(taking, 0)) === 0) return { kind: 'running' };
      return { kind: 'started', token, ...kept };
    },
    async finish(key, token, reply, tx) {
      const done = await rows.updateOne({ _id: key, mark: token }, { $set: { reply } }, inTx(tx));
      if (done.matchedCount !== 1) throw new Refused(TAKEN_OVER);
    },
    async finishMany(records, tx) {
      if (records.length === 0) return [];
      const writes = records.map(({ key, token, reply }) => ({
        updateOne: { filter: { _id: key, mark: token }, update: { $set: { reply } } },
      }));
      const { matchedCount } = await rows.bulkWrite(writes, { ordered: false, ...inTx(tx) });
      if (matchedCount === records.length) return [];
      const keys = records.map(({ key }) => key);
      const found = await rows.find({ _id: { $in: keys } }, { ...inTx(tx), projection: { mark: 1 } }).toArray();
      const tokens = new Map(found.map((row) => [row._id, row.mark]));
      return records.filter(({ key, token }) => tokens.get(key) !== token).map(({ key }) => key);
    },
    async abandon(key, token) {
      await rows.deleteOne({ _id: key, mark: token, reply: { $exists: false } });
    },
  };
}
