import type { HeldChange, HeldChangeStore } from '../../events/held-change.ts';
import { scopeOf } from '../../people/caller.ts';
import type { Database } from '../database.ts';
import { findEarliest, findIds, inTx, type Row, recordOf, rowOf } from '../rows.ts';
import type { HeldRow } from '../stored-rows.ts';
import { afterCommit } from '../transactions.ts';

/** How long an undone or released change is kept. */
const KEPT_MS = 3_600_000;

const HELD = { state: 'held' } as const;
const changeOf = ({ expires_at: _, ...row }: HeldRow): HeldChange => recordOf<HeldChange>(row as Row<HeldChange>);

export function heldChangeStore(database: Database): HeldChangeStore {
  const rows = database.collection('held_changes');
  return {
    async insert(change, tx) {
      await rows.insertOne(rowOf(change), inTx(tx));
      afterCommit(tx, database.work.notify);
    },
    async find(scope, id, tx) {
      const row = await rows.findOne({ _id: id, ...scopeOf(scope) }, inTx(tx));
      return row && changeOf(row);
    },
    async findFacts(scope, event_id) {
      const found = await rows.find({ ...HELD, ...scopeOf(scope), 'events.id': event_id }).toArray();
      return found.flatMap((row) => changeOf(row).facts).filter((fact) => fact.event_id === event_id);
    },
    async close(id, state, tx) {
      const expires_at = new Date(database.clock.now().getTime() + KEPT_MS);
      const before = { returnDocument: 'before', ...inTx(tx) } as const;
      const row = await rows.findOneAndUpdate({ _id: id, ...HELD }, { $set: { state, expires_at, facts: [] } }, before);
      // An undo may bring back a publication or a reminder that is due soon, or free places for the waitlist.
      afterCommit(tx, database.work.notify);
      return row && changeOf(row);
    },
    findDue: (limit) =>
      findIds(rows, { ...HELD, release_at: { $lte: database.clock.now() } }, { sort: { release_at: 1 }, limit }),
    findNextDue: () => findEarliest(rows, 'release_at', HELD),
  };
}
