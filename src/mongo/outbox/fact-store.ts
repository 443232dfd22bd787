import { triggerOf } from '../../notifications/policy/trigger.ts';
import { type Fact, withId } from '../../outbox/fact.ts';
import type { FactPart, FactStore, UnpublishedFact } from '../../outbox/ports.ts';
import { scopeOf } from '../../people/caller.ts';
import type { UNFINISHED } from '../collections.ts';
import { afterCommit, type Database, inTx } from '../database.ts';
import { isDuplicate } from '../insert-missing.ts';
import { recordOf } from '../rows.ts';
import { attemptPlanner } from '../webhooks/plan-attempts.ts';
import { relayStateOf, unpublishedFact, unpublishedFacts } from './unpublished-facts.ts';

export type FactRow = Omit<Fact, 'id'> & {
  _id: string;
  /** outbox state; unset once the fact is processed, and of facts that notify no one, so that the index stays small */
  relay?: (typeof UNFINISHED)[number];
  handed_on_at?: Date;
  parts?: FactPart[];
};

export function factStore(database: Database): FactStore {
  const rows = database.collection('facts');
  const planAttempts = attemptPlanner(database);
  const factOf = ({ relay: _, handed_on_at: __, parts: ___, ...row }: FactRow): Fact => recordOf<Fact>(row);
  let publish: ((facts: readonly UnpublishedFact[]) => void) | null = null;
  const store: FactStore = {
    ...unpublishedFacts(database),
    async record(facts, tx) {
      const stored = facts.map(withId);
      const notifying = stored.filter((fact) => triggerOf(fact) !== null);
      const fresh = stored.map(({ id, ...fact }) => ({
        _id: id,
        ...fact,
        ...(triggerOf(fact) === null ? {} : { relay: relayStateOf(fact.type) }),
      }));
      if (fresh.length > 0) await rows.insertMany(fresh, inTx(tx));
      await planAttempts(stored, tx);
      if (notifying.length > 0) afterCommit(tx, () => publish?.(notifying.map(unpublishedFact)));
      return stored;
    },
    async find(id) {
      const row = await rows.findOne({ _id: id });
      return row ? factOf(row) : null;
    },
    async findMany(ids) {
      return (await rows.find({ _id: { $in: [...ids] } }).toArray()).map(factOf);
    },
    async listOfEvent(scope, event_id, { limit, types, before, user_id }) {
      const older = before ? { _id: { $lt: before } } : {};
      const found = rows
        .find({
          event_id,
          ...scopeOf(scope),
          ...older,
          ...(types ? { type: { $in: [...types] } } : {}),
          ...(user_id === undefined ? {} : { 'data.user_id': user_id }),
        })
        .sort({ _id: -1 })
        .limit(limit);
      return (await found.toArray()).map(factOf);
    },
    async recordAnswer(answer) {
      try {
        await database.transact((tx) => store.record([answer], tx));
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    },
    async listAnswers(scope, { limit, before, user_id }) {
      const filter = {
        ...scopeOf(scope),
        type: 'message.answered' as const,
        ...(before ? { _id: { $lt: before } } : {}),
        ...(user_id === undefined ? {} : { 'data.user_id': user_id }),
      };
      const found = await rows.find(filter, { hint: 'answers' }).sort({ _id: -1 }).limit(limit).toArray();
      return found.map((row) => factOf(row) as Fact<'message.answered'>);
    },
    async findLeads(scope, event_ids) {
      const named = { type: 'event.published' as const, 'data.announced_with': { $type: 'string' } };
      const found = rows.find(
        { event_id: { $in: [...event_ids] }, ...scopeOf(scope), ...named },
        { projection: { 'data.announced_with': 1 } },
      );
      const leads = (await found.toArray()).flatMap(
        ({ data }) => ('announced_with' in data && data.announced_with) || [],
      );
      return [...new Set(leads)];
    },
    async findWithParts(id) {
      const row = await rows.findOne({ _id: id });
      return row ? { fact: factOf(row), parts: row.parts ?? [] } : null;
    },
    async markProcessed(id) {
      await rows.updateOne({ _id: id }, { $unset: { relay: 1, handed_on_at: 1, parts: 1 } });
    },
    onRecorded(listener) {
      publish = listener;
    },
  };
  return store;
}
