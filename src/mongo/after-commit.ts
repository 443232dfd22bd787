import type { Tx } from '../core/transaction.ts';

type Callback = () => void;

const callbacks = new WeakMap<Tx, Callback[]>();

/** Calls `callback` after this transaction has committed; never if the process ends in between, so only for optional work. */
export function afterCommit(tx: Tx, callback: Callback): void {
  callbacks.get(tx)?.push(callback);
}

/** Drops the callbacks of an earlier try of the transaction. */
export function resetAfterCommit(tx: Tx): void {
  callbacks.set(tx, []);
}

export function runAfterCommit(tx: Tx): void {
  for (const callback of callbacks.get(tx) ?? []) callback();
}
