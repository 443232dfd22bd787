import type { Tx } from '../core/transaction.ts';

type Act = () => void;

const wanted = new WeakMap<Tx, Act[]>();

/**
 * Calls `act` once the writes of this transaction can be read; never if nothing was written. Only for what may be left
 * undone: the process may end in between.
 */
export function afterCommit(tx: Tx, act: Act): void {
  wanted.get(tx)?.push(act);
}

/** The work of a transaction begins, maybe anew: what an earlier try wanted is forgotten. */
export function begun(tx: Tx): void {
  wanted.set(tx, []);
}

export function committed(tx: Tx): void {
  for (const act of wanted.get(tx) ?? []) act();
}
