import { invalid } from '../core/errors.ts';
import type { Tx } from '../core/transaction.ts';
import { actorOf, type Caller } from '../people/caller.ts';
import { type Address, loadAddressedEvent, loadSiblings } from './address.ts';
import { addressedEventOf } from './apply-plan.ts';
import type { Change } from './change.ts';
import { changeOrThrow } from './change-status.ts';
import { furtherOccurrences } from './create.ts';
import type { EventDeps } from './ports.ts';
import { edited, patchFor } from './rules/edits.ts';
import type { EventPatch } from './rules/merge.ts';
import { isOverridden, seriesOf } from './rules/recurrence.ts';
import { bytesOf, bytesOfAll, seriesSizeFaults } from './rules/size.ts';

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
  await checkSeriesSize(deps, changes, tx);
  return changes;
}

/** Reads the whole series only if the edit makes it larger. @throws Refused `validation_failed` */
async function checkSeriesSize(deps: EventDeps, changes: readonly Change[], tx?: Tx): Promise<void> {
  const growth = changes.reduce((sum, { before, after }) => sum + bytesOf(after) - (before ? bytesOf(before) : 0), 0);
  const event = addressedEventOf(changes);
  const parent_id = seriesOf(event);
  if (growth <= 0 || parent_id === null) return;
  const series = await deps.events.series(event, parent_id, tx);
  const faults = seriesSizeFaults(event, bytesOfAll(series) + growth, series.length);
  if (faults.length > 0) throw invalid(faults);
}
