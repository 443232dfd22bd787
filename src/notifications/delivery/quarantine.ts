import type { Clock } from '../../core/clock.ts';
import { notFound } from '../../core/errors.ts';
import type { Transact } from '../../core/transaction.ts';
import type { FactStore } from '../../outbox/ports.ts';
import { type Caller, scopeOf } from '../../people/caller.ts';
import type { Delivery } from '../delivery.ts';
import type { DeliveryStore, FailedFilter } from '../ports.ts';

type StaffDeps = {
  clock: Clock;
  transact: Transact;
  facts: Pick<FactStore, 'record'>;
  deliveries: Pick<DeliveryStore, 'redrive' | 'discard' | 'retryFailed'>;
};

/**
 * Releases a delivery from quarantine to be sent as if it were new; the gate still checks it. Happens once, and the event's
 * timeline records the caller.
 * @throws Refused `not_found`
 */
export const redriveDelivery = (deps: StaffDeps, caller: Caller, id: string): Promise<Delivery> =>
  resolveQuarantined(deps, caller, id, 'redriven');

/**
 * Discards a quarantined delivery, which is never sent. Happens once, and the event's timeline records the caller.
 * @throws Refused `not_found`
 */
export const discardDelivery = (deps: StaffDeps, caller: Caller, id: string): Promise<Delivery> =>
  resolveQuarantined(deps, caller, id, 'discarded');

function resolveQuarantined(
  deps: StaffDeps,
  caller: Caller,
  id: string,
  how: 'redriven' | 'discarded',
): Promise<Delivery> {
  const { clock, transact, facts, deliveries } = deps;
  return transact(async (tx) => {
    const scope = scopeOf(caller);
    const row = await deliveries[how === 'redriven' ? 'redrive' : 'discard'](scope, id, tx);
    if (!row) throw notFound();
    const { event_id, channel, trigger } = row;
    const fact = { ...scope, event_id, occurred_at: clock.now(), actor: { user_id: caller.user_id } };
    await facts.record([{ ...fact, type: `delivery.${how}`, data: { delivery_id: id, channel, trigger } }], tx);
    return row;
  });
}

/** Messages per call, because one transaction writes them all. */
const LIMIT = 1_000;

/**
 * Retries failed messages of the caller's school as if they were new, at most 1,000 per call; the gate still checks each
 * before sending. The timeline of each event records the caller and the number. @returns how many, and whether more match
 */
export function retryFailed(
  { clock, transact, facts, deliveries }: StaffDeps,
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
