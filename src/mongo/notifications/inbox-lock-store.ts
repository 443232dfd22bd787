import type { Tx } from '../../core/transaction.ts';
import { type EndedDelivery, type InboxLocks, WRITE_WITHIN_MS } from '../../notifications/fan-out/inbox-lock.ts';
import { type Database, inTx, NotInserted } from '../database.ts';
import { isDuplicate } from '../insert-missing.ts';
import { type DeliveryRow, deliveryRowOf } from './delivery-row.ts';
import { arrivalOf, inboxRowOf, signalRowOf } from './inbox-row.ts';

export type InboxLockRow = { _id: string; event_id: string; by: string; at: Date };

class NotWritten extends Error {}

/**
 * One row per fact. Every `write` updates it, so that a transaction that deletes it comes before or after the write, never
 * in between. The row also shows which transaction of a dead process to abort (transaction-reaper.ts).
 */
export function inboxLockStore(database: Database): InboxLocks {
  const { clock, transact } = database;
  const rows = database.collection<InboxLockRow>('tellings');
  const removed = (filter: object) => (tx: Tx) => rows.deleteMany(filter, inTx(tx));
  return {
    async acquire({ fact_id, event_id, by }) {
      try {
        await rows.updateOne({ _id: fact_id, by }, { $set: { event_id, at: clock.now() } }, { upsert: true });
        return true;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        await transact((tx) => rows.updateOne({ _id: fact_id }, { $set: { by: '' } }, inTx(tx)));
        return false;
      }
    },
    async write({ fact_id, by }, ended, entries) {
      const documents = ended.map(endedRow);
      const arrived = entries.map(inboxRowOf);
      const signal = signalRowOf(arrivalOf(entries), clock.now());
      try {
        await transact(async (tx) => {
          const at = clock.now();
          for (const document of documents) document.settled_at = at;
          const { matchedCount } = await rows.updateOne({ _id: fact_id, by }, { $set: { at } }, inTx(tx));
          if (matchedCount === 0) throw new NotWritten();
          await database.insert('deliveries', documents, tx);
          if (arrived.length > 0) {
            await database.insert('inbox', arrived, tx);
            await database.insert('signals', [signal], tx);
          }
          if (clock.now().getTime() - at.getTime() > WRITE_WITHIN_MS) throw new NotWritten();
        });
        return true;
      } catch (error) {
        if (error instanceof NotWritten || error instanceof NotInserted || isDuplicate(error)) return false;
        throw error;
      }
    },
    async release({ fact_id, by }) {
      await rows.deleteOne({ _id: fact_id, by });
    },
    async forget(fact_id) {
      await rows.deleteOne({ _id: fact_id });
    },
    async revoke(event_id, except_fact_id) {
      const others = { event_id, _id: { $ne: except_fact_id } };
      if ((await rows.countDocuments(others, { limit: 1 })) > 0) await transact(removed(others));
    },
  };
}

const endedRow = ({ row, ended }: EndedDelivery): DeliveryRow => Object.assign(deliveryRowOf(row), ended);
