import { inTurnAfter } from '../../core/groups.ts';
import { isUrgentFact, triggerOf, URGENT_FACTS } from '../../notifications/policy/trigger.ts';
import { type Fact, withId } from '../../outbox/fact.ts';
import type { FactPart, FactStore, NewestQuery, UnpublishedFact } from '../../outbox/ports.ts';
import { scopeOf } from '../../people/caller.ts';
import type { Database } from '../database.ts';
import { anyOf, exists, type Filter, inTx, isDuplicate, recordOf, rowOf } from '../rows.ts';
import type { FactRow } from '../stored-rows.ts';
import { UNFINISHED } from '../stored-rows.ts';
import { afterCommit } from '../transactions.ts';
import { attemptPlanner } from '../webhooks/webhook-store.ts';

export function factStore(database: Database): FactStore {
  const rows = database.collection('facts');
  const planAttempts = attemptPlanner(database);
  const factOf = ({ relay: _, handed_on_at: __, parts: ___, ...row }: FactRow): Fact => recordOf<Fact>(row);
  let publish: ((facts: readonly UnpublishedFact[]) => void) | null = null;
  async function findNewest(filter: Filter<FactRow>, { limit, before, user_id }: NewestQuery, options = {}) {
    const older = before ? { _id: { $lt: before } } : {};
    const ofPerson = user_id === undefined ? {} : { 'data.user_id': user_id };
    const found = rows.find({ ...filter, ...older, ...ofPerson }, { sort: { _id: -1 }, limit, ...options });
    return (await found.toArray()).map(factOf);
  }
  const store: FactStore = {
    ...unpublishedFacts(database),
    async record(facts, tx) {
      const stored = facts.map(withId);
      if (stored.length === 0) return stored;
      const notifying = new Set(stored.filter((fact) => triggerOf(fact) !== null));
      const fresh = stored.map((fact) => ({
        ...rowOf(fact),
        ...(notifying.has(fact) ? { relay: relayStateOf(fact.type) } : {}),
      }));
      // Outside of the transaction, so that both take one round trip.
      const [attempts] = await Promise.all([planAttempts(stored), rows.insertMany(fresh, inTx(tx))]);
      if (attempts.length > 0) await database.collection('webhook_attempts').insertMany(attempts, inTx(tx));
      if (notifying.size > 0) afterCommit(tx, () => publish?.([...notifying].map(unpublishedFact)));
      afterCommit(tx, database.work.notify);
      return stored;
    },
    findMany: async (ids) => (await rows.find({ _id: { $in: ids } }).toArray()).map(factOf),
    async listOfEvent(scope, event_id, { types, ...query }) {
      const filter = { event_id, ...scopeOf(scope), ...anyOf({ type: types }) };
      return findNewest(filter, query, { hint: 'event_id_1__id_-1' });
    },
    async recordAnswer(answer) {
      try {
        await database.transact((tx) => store.record([answer], tx));
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
    },
    async listAnswers(scope, query) {
      const answers = { ...scopeOf(scope), type: 'message.answered' };
      return (await findNewest(answers, query, { hint: 'answers' })) as Fact<'message.answered'>[];
    },
    async findLeads(scope, event_ids, types) {
      const named = { type: { $in: types }, 'data.announced_with': { $type: 'string' } };
      const filter = { event_id: { $in: event_ids }, ...scopeOf(scope), ...named };
      const found = await rows.find(filter, { projection: { 'data.announced_with': 1 } }).toArray();
      return [...new Set(found.flatMap(({ data }) => ('announced_with' in data && data.announced_with) || []))];
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

/** The outbox state of a fact until it is published. */
const relayStateOf = (type: FactRow['type']): Waiting => (isUrgentFact(type) ? 'urgent' : 'pending');

/** The outbox. All of its queries use an index that holds only facts that are not processed yet. */
function unpublishedFacts(database: Database) {
  const rows = database.collection('facts');
  /** the tenant served last */
  const lastTenant = { urgent: '', pending: '' };

  const read = (filter: Filter<FactRow>, limit: number) =>
    rows.find(filter, { projection: FIELDS, hint: 'unfinished', limit }).toArray();

  /** All entries if they fit into `limit`; else an equal share for each tenant, round robin after the one served last. */
  async function findOldest(relay: Waiting, limit: number): Promise<UnpublishedFact[]> {
    // To MongoDB, a limit of 0 is none.
    if (limit === 0) return [];
    const all = await read({ relay }, limit);
    if (all.length < limit) return all.map(unpublishedRow).sort((a, b) => (a.id < b.id ? -1 : 1));
    const tenants = ((await rows.distinct('tenant_id', { relay })) as string[]).sort();
    const inTurn = inTurnAfter(lastTenant[relay], tenants).slice(0, limit);
    const each = Math.floor(limit / inTurn.length);
    const shares = await Promise.all(inTurn.map((tenant_id) => read({ relay, tenant_id }, each)));
    lastTenant[relay] = inTurn.at(-1) ?? '';
    return shares.flat().map(unpublishedRow);
  }

  return {
    isAnyUnfinished: () => exists(rows, { relay: { $in: UNFINISHED } }, { hint: 'unfinished' }),
    findUnpublished: (priority, limit) => findOldest(priority === 'urgent' ? 'urgent' : 'pending', limit),
    async markPublished(ids) {
      await rows.updateMany({ _id: { $in: ids }, relay: { $in: ['urgent', 'pending'] } }, [
        { $set: { relay: 'handed_on', handed_on_at: '$$NOW' } },
      ]);
    },
    async reopenUnprocessed(olderThanMs) {
      const before = new Date(database.clock.now().getTime() - olderThanMs);
      const { modifiedCount } = await rows.updateMany({ relay: 'handed_on', handed_on_at: { $lt: before } }, REOPENED);
      return modifiedCount;
    },
    async reopen(id) {
      await rows.updateOne({ _id: id, relay: 'handed_on' }, REOPENED);
    },
    async split(id, parts) {
      const update = { parts: { $ifNull: ['$parts', { $literal: parts }] }, handed_on_at: '$$NOW' };
      return partsOf(await rows.findOneAndUpdate({ _id: id, relay: { $exists: true } }, [{ $set: update }], AFTER));
    },
    async saveCheckpoint(id, part, after) {
      await rows.updateOne(withPart(id, part), { $set: { [`parts.${part}.after`]: after }, ...renewed });
    },
    async finishPart(id, part) {
      const update = { $set: { [`parts.${part}.done`]: true }, ...renewed };
      const parts = partsOf(await rows.findOneAndUpdate(withPart(id, part), update, AFTER));
      return parts.length > 0 && parts.every(({ done }) => done);
    },
  } satisfies Partial<FactStore>;
}

const REOPENED = [{ $set: { relay: { $cond: [{ $in: ['$type', [...URGENT_FACTS]] }, 'urgent', 'pending'] } } }];

/** Matches nothing once the fact is processed. */
const withPart = (id: string, part: number) => ({ _id: id, [`parts.${part}`]: { $exists: true } });
const renewed = { $currentDate: { handed_on_at: true } };
const AFTER = { projection: { parts: 1 }, returnDocument: 'after' } as const;
const partsOf = (row: Pick<FactRow, 'parts'> | null): readonly FactPart[] => row?.parts ?? [];

type Waiting = 'urgent' | 'pending';
const FIELDS = { type: 1, tenant_id: 1, traceparent: 1 };

const unpublishedFact = ({ id, type, tenant_id, traceparent }: Omit<UnpublishedFact, 'urgent'>): UnpublishedFact => ({
  id,
  type,
  tenant_id,
  traceparent,
  urgent: isUrgentFact(type),
});

const unpublishedRow = ({ _id, ...row }: FactRow): UnpublishedFact => unpublishedFact({ ...row, id: _id });
