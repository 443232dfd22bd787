import type { Fact } from '../../outbox/fact.ts';
import type { FactStore } from '../../outbox/ports.ts';
import type { Delivery } from '../delivery.ts';
import { ruleOf } from '../policy/trigger.ts';
import type { DeliveryStore } from '../ports.ts';

type Deps = { deliveries: Pick<DeliveryStore, 'announced'>; facts: Pick<FactStore, 'find'> };

/**
 * Who has heard of an announcement that says the same, and to whom one is on its way; of a correction, whom the
 * announcement did not reach after all.
 */
export type ToldBefore = {
  told: ReadonlySet<string>;
  being_told: ReadonlySet<string>;
  unheard: ReadonlySet<string>;
};

/**
 * For an event that was published, taken back and published again: whoever was told of this time and place is not told
 * once more, however often that happens. The first announcement asks nothing. A correction is only for those who were
 * told: it waits for an announcement that is on the wire.
 */
export async function toldBefore(deps: Deps, rows: readonly Delivery[], fact: Fact | null): Promise<ToldBefore> {
  const [first] = rows;
  if (first && fact && ruleOf(first.trigger).recipients === 'registered') return heardOf(deps, rows, fact);
  if (!first || fact?.type !== 'event.published' || fact.data.says === undefined || fact.data.sequence <= 1) {
    return NO_NEWS;
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
  return { told: of(true), being_told: of(false), unheard: NOBODY };
}

/** Of a group of notices to those registered, the rows that are about no registration. */
async function heardOf({ deliveries }: Deps, rows: readonly Delivery[], fact: Fact): Promise<ToldBefore> {
  const [first, ...more] = rows.filter((row) => row.registration_ids.length === 0);
  if (!first) return NO_NEWS;
  const user_ids = [first, ...more].map((row) => row.user_id);
  const announced = await deliveries.announced(first, first.event_id, first.channel, user_ids, fact.id);
  const told = new Set(announced.filter(({ settled }) => settled).map((row) => row.user_id));
  const being_told = new Set(announced.map((row) => row.user_id).filter((user_id) => !told.has(user_id)));
  const unheard = new Set(user_ids.filter((user_id) => !told.has(user_id) && !being_told.has(user_id)));
  return { told: NOBODY, being_told, unheard };
}

const NOBODY: ReadonlySet<string> = new Set();
const NO_NEWS: ToldBefore = { told: NOBODY, being_told: NOBODY, unheard: NOBODY };
