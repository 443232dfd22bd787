import { outgoingOf } from './compose.ts';
import type { DeliverDeps } from './deliver.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryStore, Settlement } from './ports.ts';
import { settlementOfExpiredLease, settlementOfUnknown } from './retry.ts';
import { CHANNELS } from './trigger.ts';

const BATCH = 500;
const LOST_IN_BUSY_QUEUE_MS = 60_000;

/**
 * The net under everything: leases that ran out because a process ended, and wake-ups lost from a queue that never runs
 * dry. Any number may run at once; each judgement is written only on a row still in the state it was judged in.
 * @returns how many rows were judged
 */
export async function reconcileDeliveries(deps: {
  deliveries: DeliveryStore;
  report(settlement: Settlement, delivery: Delivery): void;
}): Promise<number> {
  const expired = await deps.deliveries.expiredLeases(BATCH);
  const judgements = expired.map((row) => ({ row, settlement: settlementOfExpiredLease(row) }));
  await deps.deliveries.settleExpired(judgements);
  for (const { row, settlement } of judgements) deps.report(settlement, row);
  for (const urgent of [true, false]) await deps.deliveries.requeueLost(CHANNELS, urgent, LOST_IN_BUSY_QUEUE_MS);
  return judgements.length;
}

/**
 * Judges what is still unknown after its wait: the provider is asked where it can be, then the rule of the channel holds
 * (delivery.md, "Ambiguous outcomes"). A provider that can't be asked is asked again at the next round.
 * @returns how many rows were judged
 */
export async function settleUnknown(deps: DeliverDeps): Promise<number> {
  const { deliveries, adapter, clock } = deps;
  const overdue = await deliveries.overdueUnknown(adapter.channel, BATCH);
  let judged = 0;
  for (const row of overdue) {
    const known = adapter.find ? await askProvider(deps, row).catch(() => 'unasked' as const) : null;
    if (known === 'unasked') continue;
    const settlement: Settlement = known
      ? { to: 'sent', id: row.id, provider_id: known.provider_id, detail: 'looked up' }
      : settlementOfUnknown(row, clock.now());
    await deliveries.settleUnknown([settlement]);
    deps.report(settlement, row);
    judged += 1;
  }
  return judged;
}

async function askProvider(deps: DeliverDeps, row: Delivery): Promise<{ provider_id: string } | null> {
  const event = await deps.events.findAnywhere(row.event_id);
  const fact = await deps.facts.find(row.fact_id);
  if (!event || !fact) return null;
  await deps.readyTexts?.([row]);
  const message = outgoingOf(deps, row, { event, fact, school: await deps.schools.find(row) });
  return (await deps.adapter.find?.(message, row.created_at)) ?? null;
}
