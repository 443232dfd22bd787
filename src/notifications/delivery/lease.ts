import type { Delivery } from '../delivery.ts';
import { waits } from '../policy/retry.ts';
import type { DeliveryResult } from '../ports.ts';
import type { DeliverDeps } from './deps.ts';
import { splitIncomplete } from './digests.ts';
import { record } from './record.ts';

/** How long a released row waits. */
const RETRY_MS = 2_000;

/** Leases rows under the next fencing token. @returns the leased rows; of a composed digest all or none */
export async function leaseRows(deps: DeliverDeps, rows: readonly Delivery[], claim: string): Promise<Delivery[]> {
  const ours = new Set(await deps.deliveries.lease(rows, claim, deps.leaseMs));
  const leased = rows.filter((row) => ours.has(row.id)).map((row) => ({ ...row, fence: row.fence + 1 }));
  const { complete, incomplete } = splitIncomplete(rows, leased);
  const waiting = incomplete.map(({ row, afterMs }) =>
    released(row, 'another worker has leased a part of its digest', afterMs),
  );
  await record(deps, waiting, leased, claim);
  return complete;
}

/** Marks rows as sending and renews their lease. @returns whether all of them are still leased */
export async function markSending(deps: DeliverDeps, rows: readonly Delivery[], claim: string): Promise<boolean> {
  return (await deps.deliveries.markSending(rows, claim, deps.leaseMs)).length === rows.length;
}

/** The result that releases a row, to be leased again after `afterMs`. */
export const released = (row: Delivery, detail: string, afterMs = RETRY_MS): DeliveryResult =>
  waits(row, afterMs, detail);

/** Returns leased rows unsent. */
export const releaseLeased = (
  deps: DeliverDeps,
  rows: readonly Delivery[],
  claim: string,
  detail: string,
  afterMs?: number,
): Promise<void> =>
  record(
    deps,
    rows.map((row) => released(row, detail, afterMs)),
    rows,
    claim,
  );
