import type { AcknowledgementStore } from '../../acknowledgements/acknowledgement.ts';
import { scopeOf } from '../../people/caller.ts';
import type { Database } from '../database.ts';
import { inTx, recordsOf, rowOf } from '../rows.ts';

export function acknowledgementStore(database: Database): AcknowledgementStore {
  const rows = database.collection('acknowledgements');
  return {
    async add(all, tx) {
      if (all.length === 0) return [];
      const upserts = all.map((one) => {
        const { tenant_id, school_id, event_id, user_id, ...more } = rowOf(one);
        const filter = { tenant_id, school_id, event_id, user_id };
        return { updateOne: { filter, update: { $setOnInsert: more }, upsert: true } };
      });
      const { upsertedIds } = await rows.bulkWrite(upserts, { ...inTx(tx), ordered: false });
      return all.filter((_, at) => Object.hasOwn(upsertedIds, at));
    },
    find: (scope, event_ids, user_ids) =>
      recordsOf(rows.find({ ...scopeOf(scope), event_id: { $in: event_ids }, user_id: { $in: user_ids } })),
    listOfEvent: (scope, event_id) => recordsOf(rows.find({ ...scopeOf(scope), event_id })),
  };
}
