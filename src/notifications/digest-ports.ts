import type { Delivery } from './delivery.ts';
import type { Channel } from './trigger.ts';

/** What is asked of deliveries that wait for one reader's morning, and go as one message then. */
export type DigestStore = {
  /**
   * Takes further due and free rows with these digest keys that are in no message yet, under the same claim.
   * @returns those not among `held`
   */
  claimMates(
    keys: readonly string[],
    channel: Channel,
    held: ReadonlySet<string>,
    claim: string,
    leaseMs: number,
  ): Promise<Delivery[]>;
  /**
   * Writes down which rows that are `sending` under this claim go as one message: each list under the id of its first.
   * @returns the ids of messages all of whose rows are still ours
   */
  compose(digests: readonly (readonly string[])[], claim: string): Promise<string[]>;
  /** Takes those of the ids that wait, whether they are due or not: they go with one that is. @returns these */
  claimRest(ids: readonly string[], claim: string, leaseMs: number): Promise<Delivery[]>;
  /** The rows of messages that were composed, by the message's id; nothing for one whose first row is gone. */
  compositions(digest_ids: readonly string[]): Promise<Map<string, Delivery[]>>;
};
