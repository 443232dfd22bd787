import type { Delivery } from '../delivery.ts';

/** Messages in 24 hours to one unverified address, for each person who gave it. */
const MESSAGES_PER_GIVEN_ADDRESS = 5;

/** Counts messages to unverified addresses, across all processes. */
export type AddressLimit = {
  /**
   * Counts these messages, each once however often it is passed.
   * @returns the ids of those within the limit of 24 hours, by the database's clock
   */
  take(rows: readonly Delivery[], limit: number): Promise<ReadonlySet<string>>;
};

/**
 * Skips messages over the limit to unverified addresses: a registration may name a stranger's address.
 * Reads and writes nothing if all addresses come from the directory.
 */
export async function limitGivenAddresses(
  limit: AddressLimit,
  rows: readonly Delivery[],
  now: Date,
): Promise<readonly Delivery[]> {
  const isCounted = ({ given_by, status }: Delivery) => given_by !== null && status === 'waiting';
  const counted = rows.filter(isCounted);
  if (counted.length === 0) return rows;
  const within = await limit.take(counted, MESSAGES_PER_GIVEN_ADDRESS);
  const skipped = { status: 'skipped', reason: 'address_limit', settled_at: now, due_at: now } as const;
  const notDeferred = { held_until: null, held_for: null, digest_key: null };
  return rows.map((row) => (isCounted(row) && !within.has(row.id) ? { ...row, ...skipped, ...notDeferred } : row));
}
