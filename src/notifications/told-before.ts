import type { Fact } from '../facts/fact.ts';
import type { FactStore } from '../facts/ports.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryStore } from './ports.ts';

type Deps = { deliveries: Pick<DeliveryStore, 'announced'>; facts: Pick<FactStore, 'find'> };

/** Who has heard of an announcement that says the same, and to whom one is on its way. */
export type ToldBefore = { told: ReadonlySet<string>; being_told: ReadonlySet<string> };

/**
 * For an event that was published, taken back and published again: whoever was told of this time and place is not told
 * once more, however often that happens. The first announcement asks nothing.
 */
export async function toldBefore(deps: Deps, rows: readonly Delivery[], fact: Fact | null): Promise<ToldBefore> {
  const [first] = rows;
  if (!first || fact?.type !== 'event.published' || fact.data.says === undefined || fact.data.sequence <= 1) {
    return { told: NOBODY, being_told: NOBODY };
  }
  const user_ids = rows.map((row) => row.user_id);
  const earlier = await deps.deliveries.announced(first, first.event_id, first.channel, user_ids, fact.id);
  const same = new Set<string>();
  for (const fact_id of new Set(earlier.map((row) => row.fact_id))) {
    const other = await deps.facts.find(fact_id);
    if (other?.type === 'event.published' && other.data.says === fact.data.says) same.add(fact_id);
  }
  const alike = earlier.filter((row) => same.has(row.fact_id));
  const of = (settled: boolean) => new Set(alike.filter((row) => row.settled === settled).map((row) => row.user_id));
  return { told: of(true), being_told: of(false) };
}

const NOBODY: ReadonlySet<string> = new Set();
