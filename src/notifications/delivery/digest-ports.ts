import type { Delivery } from '../delivery.ts';
import type { Channel } from '../policy/trigger.ts';

/** Deliveries that wait for one reader's morning, and go as one message then. */
export type DigestStore = {
  /** Due rows that wait with these digest keys and are in no digest yet. */
  findDueDigestMembers(keys: readonly string[], channel: Channel): Promise<Delivery[]>;
  /**
   * Writes down which leased rows of this claim go as one message: each list under the id of its first.
   * @returns the ids of digests all of whose rows are still ours
   */
  createDigests(digests: readonly (readonly string[])[], claim: string): Promise<string[]>;
  /** The members of digests that were composed, by the digest's id; nothing for one whose first row is gone. */
  loadDigests(digest_ids: readonly string[]): Promise<Map<string, Delivery[]>>;
};
