import type { Refusal } from './errors.ts';
import type { Tx } from './transaction.ts';

export type StoredReply = { status: number; headers: Record<string, string>; body: string };

/** The response to a request that was slower than its own retry: nothing of it was stored. */
export const TAKEN_OVER: Refusal = {
  code: 'idempotency_in_flight',
  detail: 'A retry with the same key has taken over this request.',
};

/** The reply to store for a key. `token` is the fencing token of the request that started it. */
export type IdempotencyRecord = { key: string; token: string; reply: StoredReply };

/** Turns the result of a request with an idempotency key into the reply to store in the transaction of its change. */
export type RecordReply<T> = (result: T) => IdempotencyRecord;

/**
 * Stores replies for 24 h under the hash of caller, route and Idempotency-Key (docs/api.md, "Retries and concurrent changes").
 */
export type IdempotencyStore = {
  /**
   * Locks the key for a running request, outside of any transaction. Fifteen seconds later a retry may take the key over,
   * unless the first request is committing at that moment.
   * `reused`: the key was used with another body or query.
   * @param whose the caller's school, so that an erasure finds what a reply says about a person
   * @param isOutdated whether a stored reply is to be replaced, so that the request runs; a request that comes to nothing
   * stores it again
   */
  begin(
    key: string,
    requestHash: string,
    whose: { tenant_id: string; school_id: string },
    isOutdated?: (stored: StoredReply) => boolean,
  ): Promise<
    | { kind: 'started'; token: string; outdated?: StoredReply }
    | { kind: 'stored'; reply: StoredReply }
    | { kind: 'running' }
    | { kind: 'reused' }
  >;
  /**
   * Stores the reply, in the transaction of the change if there is one.
   * @throws Refused `idempotency_in_flight` if a retry has taken the key over: the transaction must not commit
   */
  finish(key: string, token: string, reply: StoredReply, tx?: Tx): Promise<void>;
  /**
   * Stores the replies of many requests in the one transaction of their changes.
   * @returns the keys that a retry has taken over: the transaction must not commit with these
   */
  finishMany(records: readonly IdempotencyRecord[], tx: Tx): Promise<string[]>;
  /** Frees the key after a reply that is not stored (409, 429, 5xx). */
  abandon(key: string, token: string): Promise<void>;
};
