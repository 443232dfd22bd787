import { WriteConflict } from '../../core/transaction.ts';
import type { IngestStore } from '../../ingest/ports.ts';
import { type Scope, scopeOf } from '../../people/caller.ts';
import { isActive, type Registration } from '../../registrations/registration.ts';
import { type Database, inTx } from '../database.ts';
import { eventOf, WITHOUT_TERMS } from '../events/event-row.ts';
import { isDuplicate, type Row, recordOf, rowOf } from '../rows.ts';

export function ingestStore(database: Database): IngestStore {
  const items = database.collection('ingested');
  const events = database.collection('events');
  const registrations = database.collection('registrations');
  return {
    async known(scope, item_ids, tx) {
      const found = items.find(
        { _id: { $in: item_ids.map((id) => keyOf(scope, id)) } },
        { ...inTx(tx), projection: { item_id: 1, event_id: 1 } },
      );
      return new Map((await found.toArray()).map(({ item_id, event_id }) => [item_id, event_id]));
    },
    async record(taken, tx) {
      const rows = taken.map((item) => ({ _id: keyOf(item, item.item_id), ...item }));
      await items.insertMany(rows, inTx(tx)).catch(throwWriteConflict);
    },
    async event(scope, id, tx) {
      const row = await events.findOne({ _id: id, ...scopeOf(scope) }, { projection: WITHOUT_TERMS, ...inTx(tx) });
      return row ? eventOf(row) : null;
    },
    async registrations(scope, event_id, tx) {
      const found = registrations.find({ event_id, ...scopeOf(scope) }, inTx(tx));
      return (await found.toArray()).map(({ active: _, ...row }) => recordOf<Registration>(row as Row<Registration>));
    },
    async putRegistrations(rows, tx) {
      // Ended rows first, because the unique index allows one active registration per person after each write.
      const endedFirst = [...rows].sort((a, b) => Number(isActive(a.status)) - Number(isActive(b.status)));
      const writes = endedFirst.map((row) => {
        const { _id, ...rest } = rowOf(row);
        return {
          replaceOne: { filter: { _id }, replacement: { ...rest, active: isActive(row.status) }, upsert: true },
        };
      });
      await registrations.bulkWrite(writes, inTx(tx)).catch(throwWriteConflict);
    },
  };
}

const keyOf = ({ tenant_id, school_id }: Scope, item_id: string): string =>
  JSON.stringify([tenant_id, school_id, item_id]);

function throwWriteConflict(error: unknown): never {
  throw isDuplicate(error) ? new WriteConflict('the row was inserted meanwhile', { cause: error }) : error;
}
