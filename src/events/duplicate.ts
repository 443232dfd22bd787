import { invalid } from '../core/errors.ts';
import type { Tx } from '../core/transaction.ts';
import type { Caller } from '../people/caller.ts';
import { type Address, loadAddressedEvent } from './address.ts';
import type { Change } from './change.ts';
import { withOccurrences } from './create.ts';
import type { EventDeps } from './ports.ts';
import { type CopyInput, copyOf } from './rules/copy.ts';
import { faultsOf, senseFaults } from './rules/validation.ts';

/**
 * Plans a duplicate: a draft copy of an event in any status, with the occurrences of its recurrence rule. Reads and checks
 * only; the event itself does not change.
 * @throws Refused `not_found`, `forbidden`, `stale`, `validation_failed`
 */
export async function planDuplicate(
  deps: EventDeps,
  caller: Caller,
  { input, ...address }: Address & { input: CopyInput },
  tx?: Tx,
): Promise<Change[]> {
  const event = await loadAddressedEvent(deps, caller, address, 'duplicate', tx);
  const copy = { ...copyOf(event, input, caller, deps.clock.now()), duplicated_from_id: event.id };
  const faults = [...faultsOf(copy), ...senseFaults(copy, event)];
  if (faults.length > 0) throw invalid(faults);
  return withOccurrences(copy, caller, { duplicated_from_id: event.id });
}
