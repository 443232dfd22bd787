import { byId } from '../../core/groups.ts';
import { createLoader } from '../../core/micro-batch.ts';
import type { Tx } from '../../core/transaction.ts';
import type { SchoolEvent } from '../../events/event.ts';
import type { EventChange, EventStore } from '../../events/ports.ts';
import { addDefaults } from '../../events/rules/defaults.ts';
import { CLOCK_MOVES } from '../../events/rules/lifecycle.ts';
import { type Scope, scopeKey, scopeOf } from '../../people/caller.ts';
import type { Database } from '../database.ts';
import { bounds, type Filter, findEarliest, findIds, foundRecord, IS_DATE, inTx, recordsOf } from '../rows.ts';
import { beyondQuery, seriesQuery } from './event-query.ts';
import { type EventRow, eventRowOf, WITHOUT_TERMS } from './event-row.ts';
import { tallyRowsOf } from './event-tallies.ts';

export function eventStore(database: Database): EventStore {
  const rows = database.collection('events');
  const read = async (filter: Filter<EventRow>, options: Parameters<typeof rows.find>[1] = {}) =>
    addDefaults(await recordsOf<SchoolEvent>(rows.find(filter, { projection: WITHOUT_TERMS, ...options })));
  const loadEvent = createLoader(scopeKey, async (scope: Scope, ids: readonly string[]) => {
    const known = byId(await read({ _id: { $in: ids }, ...scope, deleted_at: null }));
    return (id) => known.get(id) ?? null;
  });
  async function count(changes: readonly EventChange[], tx: Tx): Promise<void> {
    const added = tallyRowsOf(changes);
    if (added.length > 0) await database.collection('event_tallies').insertMany(added, inTx(tx));
  }
  return {
    async find(scope, id, tx) {
      if (!tx) return loadEvent(scopeOf(scope), id);
      const [event] = await read({ _id: id, ...scopeOf(scope), deleted_at: null }, inTx(tx));
      return event ?? null;
    },
    async lock(scope, id, tx) {
      const before = { projection: WITHOUT_TERMS, returnDocument: 'before', ...inTx(tx) } as const;
      const filter = { _id: id, ...scopeOf(scope), deleted_at: null };
      const event = await foundRecord<SchoolEvent>(rows.findOneAndUpdate(filter, { $inc: { version: 1 } }, before));
      if (event) addDefaults([event]);
      return event;
    },
    async insert(events, tx) {
      await rows.insertMany(events.map(eventRowOf), inTx(tx));
      const changes = events.map((after) => ({ before: null, after }));
      await count(changes, tx);
    },
    async replaceMany(changes, tx) {
      const writes = changes.map(({ before, after }) => {
        const { _id, ...replacement } = eventRowOf(after);
        return { replaceOne: { filter: { _id, ...scopeOf(after), version: before.version }, replacement } };
      });
      const { matchedCount } = await rows.bulkWrite(writes, inTx(tx));
      if (matchedCount === changes.length) await count(changes, tx);
      return matchedCount === changes.length;
    },
    findSeries: (scope, parent_id, tx) => read(ofSeries(scope, parent_id), inTx(tx)),
    async measureSeries(scope, parent_id, tx) {
      const group = { _id: null, count: { $sum: 1 }, bytes: { $sum: '$json_bytes' } };
      const stages = [{ $match: ofSeries(scope, parent_id) }, { $group: group }];
      const [sums] = await rows.aggregate<{ count: number; bytes: number }>(stages, inTx(tx)).toArray();
      return { count: sums?.count ?? 0, bytes: sums?.bytes ?? 0 };
    },
    findMany(ids, tx) {
      const exists = [{ deleted_at: null }, { held_until: { $gt: database.clock.now() } }];
      return read({ _id: { $in: ids }, $or: exists }, inTx(tx));
    },
    findWithDeleted: (scope, ids, tx) => read({ _id: { $in: ids }, ...scopeOf(scope) }, inTx(tx)),
    async clearHolds(ids) {
      const over = { held_until: { $lte: database.clock.now() } };
      await rows.updateMany({ _id: { $in: ids }, ...over }, { $set: { held_until: null } });
    },
    findDue(action, limit) {
      // Each of these pairs has an index (collections.ts).
      const { status, at } = CLOCK_MOVES[action];
      const due = { status, [at]: { $lte: database.clock.now() }, deleted_at: null };
      return findIds(rows, due, { sort: { [at]: 1 }, limit });
    },
    findUpcoming(after, limit) {
      const beyond = after ? beyondQuery(after) : { starts_at: { $gt: database.clock.now() } };
      return read({ status: 'published', deleted_at: null, ...beyond }, { sort: { starts_at: 1, _id: 1 }, limit });
    },
    findDerivedBefore(tz_version, after, limit) {
      const stale = {
        ...bounds('_id', after),
        ends_at: { $gt: new Date(database.clock.now().getTime() - DATE_LINE_MS) },
        tz_version: { $not: { $gte: tz_version } },
        status: { $nin: ['completed', 'cancelled'] },
        deleted_at: null,
      };
      return read(stale, { sort: { _id: 1 }, limit });
    },
    async markDerived(events, tz_version) {
      const writes = events.map(({ id, version }) => ({
        updateOne: { filter: { _id: id, version }, update: { $set: { tz_version } } },
      }));
      if (writes.length > 0) await rows.bulkWrite(writes, { ordered: false });
    },
    findNextDue(action) {
      const { status, at } = CLOCK_MOVES[action];
      return findEarliest(rows, at, { status, [at]: IS_DATE, deleted_at: null });
    },
  };
}

const ofSeries = (scope: Scope | null, id: string) => ({
  ...seriesQuery(id),
  ...(scope ? scopeOf(scope) : {}),
  deleted_at: null,
});

/** No change of a time zone's rules has ever moved a clock by more. */
const DATE_LINE_MS = 48 * 3_600_000;
