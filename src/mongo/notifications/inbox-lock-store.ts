import type { Tx } from '../../core/transaction.ts';
import { PLACES, PUT_WITHIN_MS, type Tellings, type Told } from '../../notifications/fan-out/inbox-lock.ts';
import { type Database, inTx, NotInserted } from '../database.ts';
import { isDuplicate } from '../insert-missing.ts';
import { type DeliveryRow, deliveryRowOf } from './delivery-row.ts';
import { arrivalOf, inboxRowOf, signalRowOf } from './inbox-row.ts';

export type TellingRow = { _id: string; event_id: string; by: string; at: Date };

class NotTold extends Error {}

/**
 * A row for each place of a fact that is being told, named by both. Every `put` writes that of its place, so that a
 * transaction that takes them all away comes before or after each of them and never in between. It is also how the
 * transaction of a process that died is found and ended (abandoned-transactions.ts).
 */
export function tellingStore(database: Database): Tellings {
  const { clock, transact } = database;
  const rows = database.collection<TellingRow>('tellings');
  const removed = (filter: object) => (tx: Tx) => rows.deleteMany(filter, inTx(tx));
  return {
    async begin(telling) {
      const { fact_id, event_id, by } = telling;
      const update = { $set: { event_id, at: clock.now() } };
      const places = placesOf(fact_id).map((_id) => ({ updateOne: { filter: { _id, by }, update, upsert: true } }));
      try {
        await rows.bulkWrite(places, { ordered: false });
        return true;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        await transact((tx) => rows.updateMany({ _id: { $in: placesOf(fact_id) } }, { $set: { by: '' } }, inTx(tx)));
        return false;
      }
    },
    async put({ fact_id, by }, place, told, entries) {
      const own = { _id: placesOf(fact_id)[place] ?? fact_id, by };
      const documents = told.map(endedRow);
      const arrived = entries.map(inboxRowOf);
      const signal = signalRowOf(arrivalOf(entries), clock.now());
      try {
        await transact(async (tx) => {
          const at = clock.now();
          for (const document of documents) document.settled_at = at;
          const { matchedCount } = await rows.updateOne(own, { $set: { at } }, inTx(tx));
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
    async end({ fact_id, by }) {
      await rows.deleteMany({ _id: { $in: placesOf(fact_id) }, by });
    },
    async forget(fact_id) {
      await rows.deleteMany({ _id: { $in: placesOf(fact_id) } });
    },
    async stop(event_id, except_fact_id) {
      const others = { event_id, _id: { $nin: placesOf(except_fact_id) } };
      if ((await rows.countDocuments(others, { limit: 1 })) > 0) await transact(removed(others));
    },
  };
}

const placesOf = (fact_id: string): string[] =>
  Array.from({ length: PLACES }, (_, place) => (place === 0 ? fact_id : `${fact_id} ${place}`));

const endedRow = ({ row, ended }: Told): DeliveryRow => Object.assign(deliveryRowOf(row), ended);
