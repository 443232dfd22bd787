import type { Tx } from '../kernel/transaction.ts';
import { PUT_WITHIN_MS, type Telling, type Tellings, type Told } from '../notifications/tellings.ts';
import { type Database, inTx, NotInserted } from './database.ts';
import { type DeliveryRow, deliveryRowOf } from './delivery-row.ts';
import { arrivalOf, inboxRowOf, signalRowOf } from './inbox-row.ts';
import { isDuplicate } from './insert-missing.ts';

type TellingRow = { _id: string; event_id: string; by: string; at: Date };

class NotTold extends Error {}

/**
 * One row for each fact that is being told, named by it. Every `put` writes it, so that a transaction that takes it away
 * comes before or after each of them and never in between. It is also how the transaction of a process that died is
 * found and ended (abandoned-transactions.ts).
 */
export function tellingStore(database: Database): Tellings {
  const { clock, transact } = database;
  const rows = database.collection<TellingRow>('tellings');
  const own = ({ fact_id, by }: Telling) => ({ _id: fact_id, by });
  const removed = (filter: object) => (tx: Tx) => rows.deleteMany(filter, inTx(tx));
  return {
    async begin(telling) {
      const { fact_id, event_id } = telling;
      const beginning = { $set: { event_id, at: clock.now() } };
      try {
        await rows.updateOne(own(telling), beginning, { upsert: true });
        return true;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        await transact((tx) => rows.updateOne({ _id: fact_id }, { $set: { by: '' } }, inTx(tx)));
        return false;
      }
    },
    async put(telling, told, entries) {
      const documents = told.map(endedRow);
      const arrived = entries.map(inboxRowOf);
      const signal = signalRowOf(arrivalOf(entries), clock.now());
      try {
        await transact(async (tx) => {
          const at = clock.now();
          for (const document of documents) document.settled_at = at;
          const { matchedCount } = await rows.updateOne(own(telling), { $set: { at } }, inTx(tx));
          if (matchedCount === 0) throw new NotTold();
          await database.insert('deliveries', documents, tx);
          if (arrived.length > 0) {
            await database.insert('inbox', arrived, tx);
            await database.insert('signals', [signal], tx);
          }
          if (clock.now().getTime() - at.getTime() > PUT_WITHIN_MS) throw new NotTold();
        });
        return true;
      } catch (error) {
        if (error instanceof NotTold || error instanceof NotInserted || isDuplicate(error)) return false;
        throw error;
      }
    },
    async end(telling) {
      await rows.deleteOne(own(telling));
    },
    async forget(fact_id) {
      await rows.deleteOne({ _id: fact_id });
    },
    async stop(event_id, except_fact_id) {
      const others = { event_id, _id: { $ne: except_fact_id } };
      if ((await rows.countDocuments(others, { limit: 1 })) > 0) await transact(removed(others));
    },
  };
}

const endedRow = ({ row, ended }: Told): DeliveryRow => Object.assign(deliveryRowOf(row), ended);
