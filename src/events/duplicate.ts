import { invalid } from '../core/errors.ts';
import type { Tx } from '../core/transaction.ts';
import type { Caller } from '../people/caller.ts';
import { type Address, addressedEvent } from './address.ts';
import type { Change } from './change.ts';
import { withOccurrences } from './create.ts';
import type { EventDeps } from './ports.ts';
import { type CopyInput, copyOf } from './rules/copy.ts';
import { faultsOf } from './rules/validation.ts';

/**
 * What a duplication would add: a draft copy in whatever state the event is, with the occurrences of its rule. Reads and
 * checks only; the event itself is left as it is.
 * @throws Refused `not_found`, `forbidden`, `stale`, `validation_failed`
 */
export async function planDuplicate(
  deps: EventDeps,
  caller: Caller,
  { input, ...address }: Address & { input: CopyInput },
  tx?: Tx,
): Promise<Change[]> {
  const event = await addressedEvent(deps, caller, address, 'duplicate', tx);
  const copy = copyOf(event, input, caller, deps.clock.now());
  const faults = faultsOf(copy);
  if (faults.length > 0) throw invalid(faults);
  return withOccurrences(copy, caller, { duplicated_from_id: event.id });
}
