import { notFound, orNotFound } from '../../core/errors.ts';
import type { Transact, Tx } from '../../core/transaction.ts';
import { actorOf, type Caller, isSameSchool, scopeOf } from '../../people/caller.ts';
import type { Delivery, FailedFilter } from '../delivery.ts';
import type { NotificationStores } from '../ports.ts';

type StaffDeps = NotificationStores & { transact: Transact };

/** Resolves a quarantined delivery. Happens once, and the event's timeline records the caller. @throws Refused `not_found` */
const resolveBy =
  (change: 'redrive' | 'discard', type: 'delivery.redriven' | 'delivery.discarded') =>
  (deps: StaffDeps, caller: Caller, id: string): Promise<Delivery> =>
    deps.transact(async (tx) => {
      const row = orNotFound(await deps.deliveries[change](scopeOf(caller), id, tx));
      await recordAction(deps, caller, row, type, tx);
      return row;
    });

/** Releases a delivery from quarantine to be sent as if it were new; the gate still checks it. */
export const redriveDelivery = resolveBy('redrive', 'delivery.redriven');

/** Discards a quarantined delivery, which is never sent. */
export const discardDelivery = resolveBy('discard', 'delivery.discarded');

/**
 * Loads a delivery with its recipient, after recording in the event's timeline who looked. Every call records it again.
 * @throws Refused `not_found`
 */
export async function revealDelivery(deps: StaffDeps, caller: Caller, id: string): Promise<Delivery> {
  const row = await deps.deliveries.find(id);
  if (!row || !isSameSchool(row, caller)) throw notFound();
  await deps.transact((tx) => recordAction(deps, caller, row, 'delivery.revealed', tx));
  return row;
}

function recordAction(
  deps: StaffDeps,
  caller: Caller,
  { id, event_id, channel, trigger }: Delivery,
  type: 'delivery.redriven' | 'delivery.discarded' | 'delivery.revealed',
  tx: Tx,
) {
  const data = { delivery_id: id, channel, trigger };
  return deps.facts.record([{ ...sharedOf(deps, caller), event_id, type, data }], tx);
}

/** The fields of facts about actions of this caller. */
const sharedOf = ({ clock }: StaffDeps, caller: Caller) => ({
  ...scopeOf(caller),
  occurred_at: clock.now(),
  actor: actorOf(caller),
});

/** Messages per call, because one transaction writes them all. */
const LIMIT = 1_000;

/**
 * Retries failed messages of the caller's school as if they were new, at most 1,000 per call; the gate still checks each
 * before sending. The timeline of each event records the caller and the number. @returns how many, and whether more match
 */
export function retryFailed(
  deps: StaffDeps,
  caller: Caller,
  filter: FailedFilter,
): Promise<{ retried: number; has_more: boolean }> {
  return deps.transact(async (tx) => {
    const { byEvent, has_more } = await deps.deliveries.retryFailed(scopeOf(caller), filter, LIMIT, tx);
    const shared = { ...sharedOf(deps, caller), type: 'delivery.retried' as const };
    const retried = [...byEvent].map(([event_id, count]) => ({ ...shared, event_id, data: { count } }));
    await deps.facts.record(retried, tx);
    return { retried: retried.reduce((sum, { data }) => sum + data.count, 0), has_more };
  });
}
