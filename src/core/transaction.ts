/** An open transaction; only stores look inside. */
export type Tx = { readonly transaction: unique symbol };

/**
 * Runs `work` in one transaction: all of its writes or none, durable on a majority when it returns. After a write conflict
 * `work` runs again from the start, so its writes must be its only effect.
 */
export type Transact = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/**
 * Runs `work` in one transaction without retrying, for callers that decide again after a conflict.
 * @throws WriteConflict if another transaction changed the same rows
 */
export type TransactOnce = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** Another transaction changed the same rows. Nothing was written; the caller may retry. */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict';
}
