import type { Refusal } from './errors.ts';
import type { Tx } from './transaction.ts';

export type StoredReply = { status: number; headers: Record<string, string>; body: string };

/** What a request is told whose retry was faster: nothing of it was stored. */
export const TAKEN_OVER: Refusal = {
  code: 'idempotency_in_flight',
  detail: 'a retry with the same key has taken this request over',
};

/** A reply with the key and the mark it is to be kept under. */
export type KeptReply = { key: string; mark: string; reply: StoredReply };

/**
 * Replies kept for 24 h under the digest of caller, route and Idempotency-Key (decisions.md, "idempotency").
 */
export type ReplyStore = {
  /**
   * Marks the request as running, outside of any transaction. A mark whose process died is taken over after ten
   * seconds; one that is being finished at that moment is not.
   * `reused`: the key was used with another body.
   * @param whose the caller's school, so that what a reply says of a person can be found there
   */
  begin(
    key: string,
    requestDigest: string,
    whose: { tenant_id: string; school_id: string },
  ): Promise<
    | { kind: 'started'; mark: string }
    | { kind: 'stored'; reply: StoredReply }
    | { kind: 'running' }
    | { kind: 'reused' }
  >;
  /**
   * Keeps the reply, in the transaction of the change where there is one.
   * @throws Refused `idempotency_in_flight` where a retry has taken the mark over: the transaction must not commit
   */
  finish(key: string, mark: string, reply: StoredReply, tx?: Tx): Promise<void>;
  /**
   * Keeps the replies of many requests in the one transaction of their changes.
   * @returns the keys whose mark another process has taken over: the transaction must not commit with these
   */
  finishMany(replies: readonly KeptReply[], tx?: Tx): Promise<string[]>;
  /** The request came to nothing worth keeping (409, 429, 5xx): the key may be used again. */
  abandon(key: string, mark: string): Promise<void>;
};
