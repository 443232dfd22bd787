/** A transaction under way; only stores know what is behind it. */
export type Tx = { readonly transaction: unique symbol };

/**
 * Runs `work` in one transaction: all of its writes or none, durable on a majority when it returns. `work` runs again
 * from the start after a conflict with another transaction, so it must have no effect but its writes.
 */
export type Transact = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/**
 * The same, tried once: for those who decide anew when somebody else was first.
 * @throws Contended where another transaction was: nothing was written
 */
export type Attempt = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** Somebody else changed the same rows meanwhile; nothing was written, and it may be tried again. */
export class Contended extends Error {
  override readonly name = 'Contended';
}
