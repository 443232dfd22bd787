import type { SchoolEvent } from '../events/event.ts';
import type { EventStore } from '../events/ports.ts';
import { scopeOf } from '../people/caller.ts';
import { type Database, inTx } from './database.ts';
import { type Row, recordOf, recordOrNull, rowOf } from './rows.ts';

export function eventStore(database: Database): EventStore {
  const rows = database.collection<Row<SchoolEvent>>('events');
  return {
    async find(scope, id, tx) {
      return recordOrNull<SchoolEvent>(await rows.findOne({ _id: id, ...scopeOf(scope), deleted_at: null }, inTx(tx)));
    },
    async findAnywhere(id) {
      return recordOrNull<SchoolEvent>(await rows.findOne({ _id: id, deleted_at: null }));
    },
    async insert(events, tx) {
      await rows.insertMany(events.map(rowOf), inTx(tx));
    },
    async replace(event, version, tx) {
      const { _id, ...rest } = rowOf(event);
      const { matchedCount } = await rows.replaceOne({ _id, ...scopeOf(event), version }, rest, inTx(tx));
      return matchedCount === 1;
    },
    async replaceMany(events, tx) {
      const writes = events.map(({ event, version }) => {
        const { _id, ...replacement } = rowOf(event);
        return { replaceOne: { filter: { _id, ...scopeOf(event), version }, replacement } };
      });
      return (await rows.bulkWrite(writes as never, inTx(tx))).matchedCount === events.length;
    },
    async series(scope, parent_id, tx) {
      const ofSeries = {
        $or: [{ _id: parent_id }, { parent_event_id: parent_id }],
        ...scopeOf(scope),
        deleted_at: null,
      };
      return (await rows.find(ofSeries, inTx(tx)).toArray()).map((row) => recordOf<SchoolEvent>(row));
    },
    async dueToPublish(limit) {
      const due = rows.find({ status: 'scheduled', publish_at: { $lte: database.clock.now() }, deleted_at: null });
      return (await due.sort({ publish_at: 1 }).limit(limit).toArray()).map((row) => recordOf<SchoolEvent>(row));
    },
    async dueToStart(limit) {
      const due = rows.find({ status: 'published', starts_at: { $lte: database.clock.now() }, deleted_at: null });
      return (await due.sort({ starts_at: 1 }).limit(limit).toArray()).map((row) => recordOf<SchoolEvent>(row));
    },
    async dueToComplete(limit) {
      const due = rows.find({ status: 'in_progress', ends_at: { $lte: database.clock.now() }, deleted_at: null });
      return (await due.sort({ ends_at: 1 }).limit(limit).toArray()).map((row) => recordOf<SchoolEvent>(row));
    },
  };
}
