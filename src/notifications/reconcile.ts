import type { Clock } from '../kernel/clock.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryStore, Settlement } from './ports.ts';
import { settlementOfExpiredLease, settlementOfUnknown } from './retry.ts';
import { CHANNELS } from './trigger.ts';

const BATCH = 500;
const LOST_IN_BUSY_QUEUE_MS = 60_000;

/**
 * The net under everything: leases that ran out because a process ended, and unknown outcomes whose wait is over. Any
 * number may run at once; each judgement is written only on a row still in the state it was judged in.
 * @returns how many rows were judged
 */
export async function reconcileDeliveries(deps: {
  clock: Clock;
  deliveries: DeliveryStore;
  report(settlement: Settlement, delivery: Delivery): void;
}): Promise<number> {
  const expired = await deps.deliveries.expiredLeases(BATCH);
  const judgements = expired.map((row) => ({ row, settlement: settlementOfExpiredLease(row) }));
  await deps.deliveries.settleExpired(judgements);
  // A busy queue can have lost some of its ids as well: a window is worked off in seconds.
  for (const channel of CHANNELS) await deps.deliveries.requeueLost(channel, LOST_IN_BUSY_QUEUE_MS);
  const now = deps.clock.now();
  const unknown = await deps.deliveries.overdueUnknown(BATCH);
  const verdicts = unknown.map((row) => ({ row, settlement: settlementOfUnknown(row, now) }));
  await deps.deliveries.settleUnknown(verdicts.map(({ settlement }) => settlement));
  const all = [...judgements, ...verdicts];
  for (const { row, settlement } of all) deps.report(settlement, row);
  return all.length;
}
