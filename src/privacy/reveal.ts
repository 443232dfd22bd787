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
 * Loads a delivery with its recipient, after recording in the event's timeline who looked. Every call records it again.
 * @throws Refused `not_found`
 */
export async function revealDelivery(deps: Deps, caller: Caller, id: string): Promise<Delivery> {
  const row = await deps.deliveries.find(id);
  const scope = scopeOf(caller);
  if (!row || row.tenant_id !== scope.tenant_id || row.school_id !== scope.school_id) throw notFound();
  const { event_id, channel, trigger } = row;
  const head = { ...scope, event_id, occurred_at: deps.clock.now(), actor: { user_id: caller.user_id } };
  const data = { delivery_id: id, channel, trigger };
  await deps.transact((tx) => deps.facts.record([{ ...head, type: 'delivery.revealed', data }], tx));
  return row;
}
