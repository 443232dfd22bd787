import { notFound } from '../kernel/errors.ts';
import type { Transact } from '../kernel/transaction.ts';
import { type Caller, scopeOf } from '../people/caller.ts';
import type { SuppressionStore } from './ports.ts';

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
