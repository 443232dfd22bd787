import type { Clock } from '../../core/clock.ts';
import type { Transact } from '../../core/transaction.ts';
import type { FactStore } from '../../outbox/ports.ts';
import { type Caller, scopeOf } from '../../people/caller.ts';
import type { DeliveryStore, FailedFilter } from '../ports.ts';

type Deps = {
  clock: Clock;
  transact: Transact;
  facts: Pick<FactStore, 'record'>;
  deliveries: Pick<DeliveryStore, 'retryFailed'>;
};

/** Messages per call, because one transaction writes them all. */
const LIMIT = 1_000;

/**
 * Retries failed messages of the caller's school as if they were new, at most 1,000 per call; the gate still checks each
 * before sending. The timeline of each event records the caller and the number. @returns how many, and whether more match
 */
export function retryFailed(
  { clock, transact, facts, deliveries }: Deps,
  caller: Caller,
  filter: FailedFilter,
): Promise<{ retried: number; has_more: boolean }> {
  return transact(async (tx) => {
    const scope = scopeOf(caller);
    const { byEvent, has_more } = await deliveries.retryFailed(scope, filter, LIMIT, tx);
    const fact = { ...scope, occurred_at: clock.now(), actor: { user_id: caller.user_id } };
    const retried = [...byEvent].map(([event_id, count]) => ({
      ...fact,
      event_id,
      type: 'delivery.retried' as const,
      data: { count },
    }));
    await facts.record(retried, tx);
    return { retried: retried.reduce((sum, { data }) => sum + data.count, 0), has_more };
  });
}
