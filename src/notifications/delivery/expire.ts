import type { DeliveryStore } from '../ports.ts';

const BATCH = 1_000;

/**
 * Records messages that wait and have become useless as `expired`, wherever they wait: for a worker that is away, for
 * their next try, for somebody's morning. Any number may run at once. The gate says the same of what is on its way.
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
