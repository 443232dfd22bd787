import type { Clock } from '../../core/clock.ts';
import { notFound } from '../../core/errors.ts';
import type { Transact } from '../../core/transaction.ts';
import type { FactStore } from '../../outbox/ports.ts';
import { type Caller, scopeOf } from '../../people/caller.ts';
import type { Delivery } from '../delivery.ts';
import type { DeliveryStore } from '../ports.ts';

type Deps = {
  clock: Clock;
  transact: Transact;
  facts: Pick<FactStore, 'record'>;
  deliveries: Pick<DeliveryStore, 'redrive' | 'discard'>;
};

/**
 * Releases a delivery from quarantine to be sent as if it were new; the gate still checks it. Happens once, and the event's
 * timeline records the caller.
 * @throws Refused `not_found`
 */
export const redriveDelivery = (deps: Deps, caller: Caller, id: string): Promise<Delivery> =>
  resolveQuarantined(deps, caller, id, 'redriven');

/**
 * Discards a quarantined delivery, which is never sent. Happens once, and the event's timeline records the caller.
 * @throws Refused `not_found`
 */
export const discardDelivery = (deps: Deps, caller: Caller, id: string): Promise<Delivery> =>
  resolveQuarantined(deps, caller, id, 'discarded');

function resolveQuarantined(deps: Deps, caller: Caller, id: string, how: 'redriven' | 'discarded'): Promise<Delivery> {
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
