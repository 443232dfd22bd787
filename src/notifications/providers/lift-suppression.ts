import { notFound } from '../../core/errors.ts';
import type { Transact } from '../../core/transaction.ts';
import { type Caller, scopeOf } from '../../people/caller.ts';
import type { BouncedFilter, SuppressionStore } from '../ports.ts';

/** Addresses in one call of `liftBounced`: one transaction writes them all. */
const MOST = 1_000;

/**
 * Lets messages go to an address again, because staff knows that it works or its owner asked. Comes in: the id of a
 * suppression that has held back a message of the caller's school. Where it bounces again it is held again.
 * @throws Refused `not_found`
 */
export async function liftSuppression(
  { transact, suppressions }: { transact: Transact; suppressions: Pick<SuppressionStore, 'lift'> },
  caller: Caller,
  id: string,
): Promise<void> {
  await transact(async (tx) => {
    if (!(await suppressions.lift(scopeOf(caller), id, tx))) throw notFound();
  });
}

/**
 * Lifts the suppression of bounced addresses that have held back a message of the caller's school, at most 1,000 in one
 * call. Complaints and opt-outs stay. @returns how many, and whether more match
 */
export function liftBounced(
  { transact, suppressions }: { transact: Transact; suppressions: Pick<SuppressionStore, 'liftBounced'> },
  caller: Caller,
  filter: BouncedFilter,
): Promise<{ lifted: number; has_more: boolean }> {
  return transact((tx) => suppressions.liftBounced(scopeOf(caller), filter, MOST, tx));
}
