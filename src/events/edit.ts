import { invalid } from '../core/errors.ts';
import type { Tx } from '../core/transaction.ts';
import { actorOf, type Caller } from '../people/caller.ts';
import { type Address, addressedEvent, siblingsMeant } from './address.ts';
import { addressed } from './apply-plan.ts';
import type { Change } from './change.ts';
import { mustChange } from './change-status.ts';
import { furtherOccurrences } from './create.ts';
import type { EventDeps } from './ports.ts';
import { edited, patchFor } from './rules/edits.ts';
import type { EventPatch } from './rules/merge.ts';
import { keepsItsOwn, seriesOf } from './rules/recurrence.ts';
import { bytesOf, bytesOfAll, seriesSizeFaults } from './rules/size.ts';

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
  const isAlone = event.is_recurring && (address.scope ?? 'this') === 'this';
  const changes = [isAlone ? { ...change, after: { ...after, detached: true } } : change];
  for (const sibling of await siblingsMeant(deps, caller, event, address, 'edit', tx)) {
    if (keepsItsOwn(sibling)) continue;
    const fitted = patchFor(sibling, { before: event, after }, patch);
    changes.push(mustChange(edited(sibling, fitted, actor, now, notify)));
  }
  await checkSeriesSize(deps, changes, tx);
  return changes;
}

/** Reads the whole series only if the edit makes it larger. @throws Refused `validation_failed` */
async function checkSeriesSize(deps: EventDeps, changes: readonly Change[], tx?: Tx): Promise<void> {
  const growth = changes.reduce((sum, { before, after }) => sum + bytesOf(after) - (before ? bytesOf(before) : 0), 0);
  const event = addressed(changes);
  const parent_id = seriesOf(event);
  if (growth <= 0 || parent_id === null) return;
  const series = await deps.events.series(event, parent_id, tx);
  const faults = seriesSizeFaults(event, bytesOfAll(series) + growth, series.length);
  if (faults.length > 0) throw invalid(faults);
}
