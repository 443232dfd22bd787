import { newId } from '../../core/ids.ts';
import { triggerOf } from '../../notifications/policy/trigger.ts';
import { FACT_VERSION, type Fact } from '../../outbox/fact.ts';
import type { FactStore, PendingFact } from '../../outbox/ports.ts';
import { scopeOf } from '../../people/caller.ts';
import { afterCommit } from '../after-commit.ts';
import type { UNFINISHED } from '../collections.ts';
import { type Database, inTx } from '../database.ts';
import { recordOf } from '../rows.ts';
import { laneOfFact, pendingFacts, pendingOf } from './unpublished-facts.ts';

export type FactRow = Omit<Fact, 'id'> & {
  _id: string;
  /** left out once the fact is worked off, so that the index of unfinished ones stays small */
  relay?: (typeof UNFINISHED)[number];
  handed_on_at?: Date;
  checkpoint?: string;
};

export function factStore(database: Database): FactStore {
  const rows = database.collection<FactRow>('facts');
  const factOf = ({ relay: _, handed_on_at: __, checkpoint: ___, ...row }: FactRow): Fact =>
    recordOf<Fact>(row as never);
  let publish: ((facts: readonly PendingFact[]) => void) | null = null;
  return {
    ...pendingFacts(database),
    async record(facts, tx) {
      const stored = facts.map((fact): Fact => ({ id: newId(), v: FACT_VERSION, ...fact }) as Fact);
      const fresh = stored.map(({ id, ...fact }) => ({ _id: id, ...fact, relay: laneOfFact(fact.type) }));
      if (fresh.length > 0) await rows.insertMany(fresh as never, inTx(tx));
      // A fact that nobody is notified of can wait for the relay.
      const notifying = stored.filter((fact) => triggerOf(fact) !== null);
      if (notifying.length > 0) afterCommit(tx, () => publish?.(notifying.map(pendingOf)));
      return stored;
    },
    async find(id) {
      const row = await rows.findOne({ _id: id });
      return row ? factOf(row) : null;
    },
    async findMany(ids) {
      return (await rows.find({ _id: { $in: [...ids] } }).toArray()).map(factOf);
    },
    async ofEvent(scope, event_id, limit, before, types) {
      const older = before ? { _id: { $lt: before } } : {};
      const found = rows
        .find({ event_id, ...scopeOf(scope), ...older, ...(types ? { type: { $in: [...types] } } : {}) })
        .sort({ _id: -1 })
        .limit(limit);
      return (await found.toArray()).map(factOf);
    },
    async lastOf(scope, event_id, types) {
      const filter = { event_id, ...scopeOf(scope), type: { $in: [...types] } };
      const row = await rows.findOne(filter as never, { sort: { _id: -1 } });
      return row ? factOf(row) : null;
    },
    async ofTypes(scope, event_id, types, limit) {
      const found = rows
        .find({ event_id, ...scopeOf(scope), type: { $in: [...types] } })
        .sort({ _id: -1 })
        .limit(limit);
      return (await found.toArray()).map(factOf);
    },
    async checkpoint(id) {
      const row = await rows.findOne({ _id: id }, { projection: { checkpoint: 1 } });
      return row?.checkpoint ?? null;
    },
    async markWorkedOff(...ids) {
      await rows.updateMany({ _id: { $in: ids } }, { $unset: { relay: 1, handed_on_at: 1, checkpoint: 1 } });
    },
    onRecorded(listener) {
      publish = listener;
    },
  };
}
