import { invalid } from '../core/errors.ts';
import type { Tx } from '../core/transaction.ts';
import { actorOf, type Caller } from '../people/caller.ts';
import { type Address, loadAddressedEvent, loadSiblings } from './address.ts';
import type { Change } from './change.ts';
import { changeOrThrow } from './change-status.ts';
import { furtherOccurrences } from './create.ts';
import type { EventDeps } from './ports.ts';
import { edited, patchFor } from './rules/edits.ts';
import type { EventPatch } from './rules/merge.ts';
import { isOverridden } from './rules/recurrence.ts';
import { findSeriesSizeFaults } from './series-size.ts';

/**
 * Plans an edit: merges the patch and checks all rules of creation. With a scope it also edits other occurrences, except
 * overridden ones and those with registrations. An event that becomes recurring gets its occurrences, as drafts. Reads and
 * checks only.
 * @throws Refused `not_found`, `forbidden`, `stale`, `event_not_editable`, `validation_failed`, `capacity_below_occupied`
 */
export async function planEdit(
  deps: EventDeps,
  caller: Caller,
  { patch, notify, ...address }: Address & { patch: EventPatch; notify?: boolean | null },
  tx?: Tx,
): Promise<Change[]> {
  const event = await loadAddressedEvent(deps, caller, address, 'edit', tx);
  const now = deps.clock.now();
  const actor = actorOf(caller);
  const change = changeOrThrow(edited(event, patch, actor, now, notify));
  const { after } = change;
  if (after === event) return [change];
  if (!event.is_recurring && after.is_recurring) return [change, ...furtherOccurrences(after, caller)];
  const isAlone = event.is_recurring && (address.scope ?? 'this') === 'this';
  const changes = [isAlone ? { ...change, after: { ...after, detached: true } } : change];
  for (const sibling of await loadSiblings(deps, caller, event, address, 'edit', tx)) {
    if (isOverridden(sibling)) continue;
    const fitted = patchFor(sibling, { before: event, after }, patch);
    changes.push(changeOrThrow(edited(sibling, fitted, actor, now, notify)));
  }
  const tooLarge = await findSeriesSizeFaults(deps, changes, tx);
  if (tooLarge.length > 0) throw invalid(tooLarge);
  return changes;
}
