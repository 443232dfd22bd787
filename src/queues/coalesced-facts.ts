import { BURST_FACTS, type Fact } from '../outbox/fact.ts';

/** Facts in one wake-up. */
const MAX_FACTS = 100;

type Queued = Pick<Fact, 'id' | 'type' | 'tenant_id'>;

/** Coalesces burst facts of one tenant and type into shared wake-ups; every other fact keeps its own. */
export function coalescedFacts<F extends Queued>(facts: readonly F[]): (F & { others: string[] })[] {
  const open = new Map<string, F & { others: string[] }>();
  const coalesced: (F & { others: string[] })[] = [];
  for (const fact of facts) {
    const key = BURST_FACTS.includes(fact.type) ? `${fact.type} ${fact.tenant_id}` : fact.id;
    const known = open.get(key);
    if (known && known.others.length + 1 < MAX_FACTS) known.others.push(fact.id);
    else {
      const first = { ...fact, others: [] };
      open.set(key, first);
      coalesced.push(first);
    }
  }
  return coalesced;
}
