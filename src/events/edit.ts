import type { Tx } from '../core/transaction.ts';
import { actorOf, type Caller } from '../people/caller.ts';
import { type Address, addressedEvent, siblingsMeant } from './address.ts';
import type { Change } from './change.ts';
import { mustChange } from './change-status.ts';
import { furtherOccurrences } from './create.ts';
import type { EventDeps } from './ports.ts';
import { edited, patchFor } from './rules/edits.ts';
import type { EventPatch } from './rules/merge.ts';
import { keepsItsOwn } from './rules/recurrence.ts';

/**
 * What an edit would change: the merged event under all rules of creation; with a scope, the others of the series that
 * have neither changes of their own nor registrations. An event that becomes recurring gets its occurrences, as drafts.
 * Reads and checks only.
 * @throws Refused `not_found`, `forbidden`, `stale`, `event_not_editable`, `validation_failed`, `capacity_below_occupied`
 */
export async function planEdit(
  deps: EventDeps,
  caller: Caller,
  { patch, notify, ...address }: Address & { patch: EventPatch; notify?: boolean | null },
  tx?: Tx,
): Promise<Change[]> {
  const event = await addressedEvent(deps, caller, address, 'edit', tx);
  const now = deps.clock.now();
  const actor = actorOf(caller);
  const change = mustChange(edited(event, patch, actor, now, notify));
  const { after } = change;
  if (after === event) return [change];
  if (!event.is_recurring && after.is_recurring) return [change, ...furtherOccurrences(after, caller)];
  if (event.is_recurring && (address.scope ?? 'this') === 'this') {
    return [{ ...change, after: { ...after, detached: true } }];
  }
  const siblings = await siblingsMeant(deps, caller, event, address, 'edit', tx);
  const followers = siblings
    .filter((sibling) => !keepsItsOwn(sibling))
    .map((sibling) =>
      mustChange(edited(sibling, patchFor(sibling, { before: event, after }, patch), actor, now, notify)),
    );
  return [change, ...followers];
}
