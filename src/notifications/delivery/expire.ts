import type { DeliveryStore } from '../ports.ts';

const BATCH = 1_000;

/**
 * Skips waiting messages that have become useless as `expired`, whether they wait for a worker, a retry or the end of quiet
 * hours. Any number may run at the same time; the gate does the same for leased messages.
 * @returns how many there were
 */
export async function expireDeliveries(
  deps: { deliveries: Pick<DeliveryStore, 'expireWaiting'> },
  signal?: AbortSignal,
): Promise<number> {
  let expired = 0;
  for (;;) {
    const some = await deps.deliveries.expireWaiting(BATCH);
    expired += some;
    if (some < BATCH || signal?.aborted) return expired;
  }
}
