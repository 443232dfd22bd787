import { notFound } from '../../core/errors.ts';
import type { Transact } from '../../core/transaction.ts';
import { type Caller, scopeOf } from '../../people/caller.ts';
import type { BouncedFilter, SuppressionStore } from '../ports.ts';

/** Addresses per call, because one transaction writes them all. */
const LIMIT = 1_000;

/**
 * Lifts a suppression that has blocked a message of the caller's school. Another bounce suppresses the address again.
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
 * Lifts the suppression of bounced addresses that have blocked a message of the caller's school, at most 1,000 per call.
 * Complaints and opt-outs stay. @returns how many, and whether more match
 */
export function liftBounced(
  { transact, suppressions }: { transact: Transact; suppressions: Pick<SuppressionStore, 'liftBounced'> },
  caller: Caller,
  filter: BouncedFilter,
): Promise<{ lifted: number; has_more: boolean }> {
  return transact((tx) => suppressions.liftBounced(scopeOf(caller), filter, LIMIT, tx));
}
