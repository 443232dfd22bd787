import type { Delivery } from '../delivery.ts';
import type { Channel } from '../policy/trigger.ts';

/** Deferred deliveries that are sent to one reader as one message. */
export type DigestStore = {
  /** Due waiting rows with these digest keys that are in no digest yet. */
  findDueDigestMembers(keys: readonly string[], channel: Channel): Promise<Delivery[]>;
  /**
   * Stores digests of leased rows of this claim: each list is one digest with the id of its first row.
   * @returns the ids of digests whose rows are all still leased by this claim
   */
  createDigests(digests: readonly (readonly string[])[], claim: string): Promise<string[]>;
  /** Loads the members of stored digests, by digest id; without digests whose first row was removed. */
  loadDigests(digest_ids: readonly string[]): Promise<Map<string, Delivery[]>>;
};
