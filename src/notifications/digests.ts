import type { DeliverDeps } from './deliver.ts';
import { type Delivery, isOpen } from './delivery.ts';
import { later } from './judge.ts';
import type { Parcel } from './parcels.ts';
import type { Settlement } from './ports.ts';

const NOT_FREE = 'the others of its message are not free';
/** Of two who hold parts of one message the one without its first row gives way at once, and then takes all of it. */
const FIRST_AGAIN_MS = 1_000;

/**
 * Writes down, before anything leaves, what goes as one and under which id: whatever becomes of this process, what is
 * tried again is the same message. Comes in: parcels of rows that are `sending` under our claim. May repeat: what was
 * put together before stays as it is.
 * @returns those that are still ours to send
 */
export async function compositionsKept(
  { deliveries, adapter }: DeliverDeps,
  parcels: readonly Parcel[],
  claim: string,
): Promise<Parcel[]> {
  const isNew = ({ row }: Parcel) => adapter.digests === true && row.digest_key !== null && row.digest_id === null;
  const fresh = parcels.filter(isNew);
  if (fresh.length === 0) return [...parcels];
  const idsOf = ({ row, others }: Parcel) => [row.id, ...others.map(({ id }) => id)];
  const ours = new Set(await deliveries.compose(fresh.map(idsOf), claim));
  return parcels.filter((parcel) => !isNew(parcel) || ours.has(parcel.row.id));
}

/**
 * What was put together before goes together again, as far as it is still to be sent: takes the others of these rows'
 * messages under the same claim. Rows whose others are not free yet are given back, to be looked at again in a moment.
 * @returns all rows of the messages that are complete
 */
export async function completed(deps: DeliverDeps, held: readonly Delivery[], claim: string): Promise<Delivery[]> {
  if (held.length === 0) return [];
  const { deliveries, leaseMs } = deps;
  const compositions = await deliveries.compositions(held.flatMap((row) => row.digest_id ?? []));
  const ours = new Map(held.map((row) => [row.id, row]));
  const missing = [...compositions.values()].flat().filter((row) => isOpen(row) && !ours.has(row.id));
  if (missing.length > 0) {
    const ids = missing.map((row) => row.id);
    for (const row of await deliveries.claimRest(ids, claim, leaseMs)) ours.set(row.id, row);
  }
  const complete: Delivery[] = [];
  const early: Settlement[] = [];
  for (const [digest_id, rows] of compositions) {
    const open = rows.filter(isOpen);
    const taken = open.flatMap(({ id }) => ours.get(id) ?? []);
    for (const row of taken) ours.delete(row.id);
    if (taken.length === open.length) complete.push(...taken.map((row) => ({ ...row, digest_id })));
    else early.push(...taken.map((row) => later(row, NOT_FREE, hasFirst(taken, open) ? FIRST_AGAIN_MS : 0)));
  }
  // Of a message nobody knows any more, what is left goes under its id.
  complete.push(...ours.values());
  if (early.length > 0) await deliveries.settle(early, claim);
  return complete;
}

const hasFirst = (taken: readonly Delivery[], open: readonly Delivery[]): boolean =>
  taken.some((row) => row.id === open[0]?.id);
