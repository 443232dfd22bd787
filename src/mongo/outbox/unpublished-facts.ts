import { isUrgentFact, URGENT_FACTS } from '../../notifications/policy/trigger.ts';
import type { Fact } from '../../outbox/fact.ts';
import type { FactStore, PendingFact } from '../../outbox/ports.ts';
import type { Database } from '../database.ts';
import type { FactRow } from './fact-store.ts';

/** Tenants whose turn is looked for in one round; the next goes on after them. */
const TENANTS = 50;

/** Which lane a fact waits in until it is handed on. */
export const laneOfFact = (type: FactRow['type']) => (isUrgentFact(type) ? 'urgent' : 'pending');

/** Facts on their way to the queue. Only those that are not worked off yet are in the index that all of this uses. */
export function pendingFacts(
  database: Database,
): Pick<FactStore, 'pending' | 'markHandedOn' | 'reopenUnfinished' | 'saveCheckpoint'> {
  const rows = database.collection<FactRow>('facts');
  const turns = { urgent: '', pending: '' };

  const read = async (filter: object, limit: number) =>
    limit === 0 ? [] : rows.find(filter, { projection: FIELDS, hint: 'unfinished' }).limit(limit).toArray();

  /** Those after the last one first. */
  async function tenantsWith(relay: Waiting): Promise<string[]> {
    const tenants: string[] = [];
    const from = async (after: string, until: object) => {
      for (let last = after; tenants.length < TENANTS; ) {
        const [next] = await read({ relay, tenant_id: { $gt: last, ...until } }, 1);
        if (!next) return;
        last = next.tenant_id;
        tenants.push(last);
      }
    };
    const last = turns[relay];
    await from(last, {});
    if (last !== '') await from('', { $lte: last });
    return tenants;
  }

  /** Everything where that fits; else as much of each tenant. */
  async function oldest(relay: Waiting, limit: number): Promise<PendingFact[]> {
    const all = await read({ relay }, limit);
    if (all.length < limit || limit === 0) return all.map(pendingRow).sort(byId);
    const tenants = await tenantsWith(relay);
    turns[relay] = tenants.at(-1) ?? '';
    const each = Math.max(1, Math.floor(limit / tenants.length));
    const inTurn = await Promise.all(tenants.map((tenant_id) => read({ relay, tenant_id }, each)));
    return inTurn.flat().slice(0, limit).map(pendingRow);
  }

  return {
    pending: (lane, limit) => oldest(lane === 'urgent' ? 'urgent' : 'pending', limit),
    async markHandedOn(ids) {
      await rows.updateMany({ _id: { $in: [...ids] }, relay: { $in: ['urgent', 'pending'] } }, [
        { $set: { relay: 'handed_on', handed_on_at: '$$NOW' } },
      ]);
    },
    async reopenUnfinished(olderThanMs) {
      const before = new Date(database.clock.now().getTime() - olderThanMs);
      const { modifiedCount } = await rows.updateMany({ relay: 'handed_on', handed_on_at: { $lt: before } }, [
        { $set: { relay: { $cond: [{ $in: ['$type', [...URGENT_FACTS]] }, 'urgent', 'pending'] } } },
      ]);
      return modifiedCount;
    },
    async saveCheckpoint(id, checkpoint) {
      await rows.updateOne({ _id: id }, [{ $set: { checkpoint: { $literal: checkpoint }, handed_on_at: '$$NOW' } }]);
    },
  };
}

type Waiting = 'urgent' | 'pending';
const FIELDS = { type: 1, tenant_id: 1 };

export const pendingOf = ({ id, type, tenant_id }: Pick<Fact, 'id' | 'type' | 'tenant_id'>): PendingFact => ({
  id,
  type,
  tenant_id,
  urgent: isUrgentFact(type),
});

const pendingRow = ({ _id, ...row }: FactRow): PendingFact => pendingOf({ ...row, id: _id } as Fact);

const byId = (a: PendingFact, b: PendingFact): number => (a.id < b.id ? -1 : 1);
