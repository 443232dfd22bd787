import type { SchoolEvent } from '../events/event.ts';
import type { EventStore } from '../events/ports.ts';
import type { Tx } from '../kernel/transaction.ts';
import { scopeOf } from '../people/caller.ts';
import { type Database, inTx } from './database.ts';
import { type EventRow, eventOf, eventRowOf, WITHOUT_TERMS } from './event-row.ts';

export function eventStore(database: Database): EventStore {
  const rows = database.collection<EventRow>('events');
  const reading = (tx?: Tx) => ({ projection: WITHOUT_TERMS, ...inTx(tx) });
  const found = (row: EventRow | null): SchoolEvent | null => (row ? eventOf(row) : null);
  return {
    async find(scope, id, tx) {
      return found(await rows.findOne({ _id: id, ...scopeOf(scope), deleted_at: null }, reading(tx)));
    },
    async hold(scope, id, tx) {
      const before = { ...reading(tx), returnDocument: 'before' as const };
      const filter = { _id: id, ...scopeOf(scope), deleted_at: null };
      return found(await rows.findOneAndUpdate(filter, { $inc: { version: 1 } } as never, before));
    },
    async findAnywhere(id) {
      return found(await rows.findOne({ _id: id, deleted_at: null }, reading()));
    },
    async insert(events, tx) {
      await rows.insertMany(events.map(eventRowOf), inTx(tx));
    },
    async replace(event, version, tx) {
      const { _id, ...rest } = eventRowOf(event);
      const { matchedCount } = await rows.replaceOne({ _id, ...scopeOf(event), version }, rest, inTx(tx));
      return matchedCount === 1;
    },
    async replaceMany(events, tx) {
      const writes = events.map(({ event, version }) => {
        const { _id, ...replacement } = eventRowOf(event);
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
      return (await rows.find(ofSeries, reading(tx)).toArray()).map((row) => eventOf(row));
    },
    async dueToPublish(limit) {
      const due = rows.find({ status: 'scheduled', publish_at: { $lte: database.clock.now() }, deleted_at: null });
      return (await due.sort({ publish_at: 1 }).limit(limit).toArray()).map((row) => eventOf(row));
    },
    async dueToStart(limit) {
      const due = rows.find({ status: 'published', starts_at: { $lte: database.clock.now() }, deleted_at: null });
      return (await due.sort({ starts_at: 1 }).limit(limit).toArray()).map((row) => eventOf(row));
    },
    async dueToComplete(limit) {
      const due = rows.find({ status: 'in_progress', ends_at: { $lte: database.clock.now() }, deleted_at: null });
      return (await due.sort({ ends_at: 1 }).limit(limit).toArray()).map((row) => eventOf(row));
    },
  };
}
