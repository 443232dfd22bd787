import mongoose from 'mongoose';
import { Refused } from '../core/errors.ts';
import { type ReplyStore, type StoredReply, TAKEN_OVER } from '../core/idempotency-record.ts';
import { newId } from '../core/ids.ts';
import { Contended } from '../core/transaction.ts';
import { type Database, inTx } from './database.ts';

export type ReplyRow = {
  _id: string;
  /** missing in rows of earlier versions, which live a day */
  tenant_id?: string;
  school_id?: string;
  request: string;
  mark: string;
  /** until when the mark holds while there is no reply */
  running_until: Date;
  reply?: StoredReply;
  expires_at: Date;
};

const KEPT_MS = 24 * 3_600_000;
/**
 * How long a key is held for a request that neither finished nor failed, since its process or its primary was lost. A
 * request that takes longer may be taken over by its retry, and then can't commit any more.
 */
const LEASE_MS = 10_000;

export function replyStore(database: Database): ReplyStore {
  const rows = database.collection<ReplyRow>('replies');
  return {
    async begin(key, request, { tenant_id, school_id }) {
      const mark = newId();
      const now = database.clock.now();
      const fresh = {
        tenant_id,
        school_id,
        request,
        mark,
        running_until: new Date(now.getTime() + LEASE_MS),
        expires_at: new Date(now.getTime() + KEPT_MS),
      };
      try {
        await rows.insertOne({ _id: key, ...fresh });
        return { kind: 'started', mark };
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
      const row = await rows.findOne({ _id: key });
      if (row && row.expires_at > now) {
        if (row.request !== request) return { kind: 'reused' };
        if (row.reply) return { kind: 'stored', reply: row.reply };
        if (row.running_until > now) return { kind: 'running' };
      }
      if (!row) return { kind: 'running' };
      const held = { _id: key, mark: row.mark, $or: [{ reply: { $exists: false } }, { expires_at: { $lte: now } }] };
      // In a transaction: a request that is committing right now is not waited for and keeps its key, and one that was
      // killed while it committed is found and ended.
      const taken = await database
        .attempt(async (tx) => (await rows.replaceOne(held as never, fresh, inTx(tx))).modifiedCount)
        .catch((error) => {
          if (error instanceof Contended) return 0;
          throw error;
        });
      return taken === 1 ? { kind: 'started', mark } : { kind: 'running' };
    },
    async finish(key, mark, reply, tx) {
      const done = await rows.updateOne({ _id: key, mark }, { $set: { reply } }, inTx(tx));
      if (done.matchedCount !== 1) throw new Refused(TAKEN_OVER);
    },
    async finishMany(replies, tx) {
      if (replies.length === 0) return [];
      const writes = replies.map(({ key, mark, reply }) => ({
        updateOne: { filter: { _id: key, mark }, update: { $set: { reply } } },
      }));
      const { matchedCount } = await rows.bulkWrite(writes as never, { ordered: false, ...inTx(tx) });
      if (matchedCount === replies.length) return [];
      const keys = replies.map(({ key }) => key);
      const held = await rows.find({ _id: { $in: keys } }, { ...inTx(tx), projection: { mark: 1 } }).toArray();
      const marks = new Map(held.map((row) => [row._id, row.mark]));
      return replies.filter(({ key, mark }) => marks.get(key) !== mark).map(({ key }) => key);
    },
    async abandon(key, mark) {
      await rows.deleteOne({ _id: key, mark, reply: { $exists: false } });
    },
  };
}

const isDuplicate = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoServerError && error.code === 11000;
