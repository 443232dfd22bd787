import type { IngestStore } from '../../ingest/ingest.ts';
import { scopeKey } from '../../people/caller.ts';
import type { Database } from '../database.ts';
import { conflictIfDuplicate, inTx } from '../rows.ts';

export function ingestStore(database: Database): IngestStore {
  const items = database.collection('ingested');
  return {
    async findEventIds(scope, item_ids, tx) {
      const found = items.find(
        { _id: { $in: item_ids.map((id) => scopeKey(scope, id)) } },
        { ...inTx(tx), projection: { item_id: 1, event_id: 1 } },
      );
      return new Map((await found.toArray()).map(({ item_id, event_id }) => [item_id, event_id]));
    },
    async record(taken, tx) {
      const rows = taken.map((item) => ({ _id: scopeKey(item, item.item_id), ...item }));
      await items.insertMany(rows, inTx(tx)).catch(conflictIfDuplicate('an item was ingested meanwhile'));
    },
  };
}
