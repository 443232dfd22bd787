import type { Clock } from '../core/clock.ts';
import { notFound } from '../core/errors.ts';
import type { Transact } from '../core/transaction.ts';
import type { Delivery } from '../notifications/delivery.ts';
import type { DeliveryStore } from '../notifications/ports.ts';
import type { FactStore } from '../outbox/ports.ts';
import { type Caller, scopeOf } from '../people/caller.ts';

type Deps = {
  clock: Clock;
  transact: Transact;
  facts: Pick<FactStore, 'record'>;
  deliveries: Pick<DeliveryStore, 'find'>;
};

/**
 * Shows whom a delivery is for. Guaranteed: before anything is shown, the event's timeline says who looked. It may be
 * asked again, and is written down again.
 * @throws Refused `not_found`
 */
export async function revealDelivery(deps: Deps, caller: Caller, id: string): Promise<Delivery> {
  const row = await deps.deliveries.find(id);
  const scope = scopeOf(caller);
  if (!row || row.tenant_id !== scope.tenant_id || row.school_id !== scope.school_id) throw notFound();
  const { event_id, channel, trigger } = row;
  const said = { ...scope, event_id, occurred_at: deps.clock.now(), actor: { user_id: caller.user_id } };
  const data = { delivery_id: id, channel, trigger };
  await deps.transact((tx) => deps.facts.record([{ ...said, type: 'delivery.revealed', data }], tx));
  return row;
}
