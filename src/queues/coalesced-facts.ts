import { COMES_IN_FLOODS, type Fact } from '../outbox/fact.ts';

/** Facts in one wake-up. */
const TOGETHER = 100;

type Handed = Pick<Fact, 'id' | 'type' | 'tenant_id'>;

/** Facts that come in floods share a wake-up with others of their tenant and kind; any other has one of its own. */
export function gatheredFloods<F extends Handed>(facts: readonly F[]): (F & { others: string[] })[] {
  const open = new Map<string, F & { others: string[] }>();
  const gathered: (F & { others: string[] })[] = [];
  for (const fact of facts) {
    const key = COMES_IN_FLOODS.includes(fact.type) ? `${fact.type} ${fact.tenant_id}` : fact.id;
    const known = open.get(key);
    if (known && known.others.length + 1 < TOGETHER) known.others.push(fact.id);
    else {
      const first = { ...fact, others: [] };
      open.set(key, first);
      gathered.push(first);
    }
  }
  return gathered;
}
