import { notFound, orNotFound, Refused } from '../core/errors.ts';
import { byId } from '../core/groups.ts';
import { canonical } from '../core/objects.ts';
import { processDue, type Tx } from '../core/transaction.ts';
import type { Caller, Scope } from '../people/caller.ts';
import { maySee } from '../people/visibility.ts';
import type { SchoolEvent } from './event.ts';
import type { HeldChange } from './held-change.ts';
import type { EventChange, EventDeps } from './ports.ts';
import { permissionRefusal } from './rules/lifecycle.ts';
import { dateOf, seriesOf } from './rules/series.ts';

/**
 * The event with the fields as they were before the change; other fields, such as the number of registrations, stay.
 * @returns null if one of these fields has changed again since
 */
function restored(event: SchoolEvent, { before, after }: HeldChange['events'][number]): SchoolEvent | null {
  const names = Object.keys(after) as (keyof SchoolEvent)[];
  const since = names.filter((name) => canonical(event[name] ?? null) !== canonical(after[name]));
  if (since.some((name) => name !== 'updated_at')) return null;
  const updated_at = (since.length === 0 && before.updated_at) || event.updated_at;
  return { ...event, ...before, version: event.version + 1, updated_at };
}

/**
 * Undoes a held change in all of its events, with the permission of the change. None of its messages is sent, and it
 * disappears from the history. Repeating it is harmless.
 * @throws Refused `not_found`, `forbidden`, `not_undoable`
 */
export async function undoChange(deps: EventDeps, caller: Caller, id: string): Promise<HeldChange> {
  return deps.transact(async (tx) => {
    const change = orNotFound(await deps.heldChanges.find(caller, id, tx));
    const events = await loadEvents(deps, caller, change, tx);
    if (change.state === 'undone') return change;
    const now = deps.clock.now();
    if (change.until <= now) throw notUndoable('late');
    const changes = change.events.map((fields) => {
      const event = events.get(fields.id);
      const after = event && restored(event, fields);
      if (!after) throw notUndoable('changed');
      return { before: event, after };
    });
    if (await isReplaced(deps, caller, changes, tx)) throw notUndoable('changed');
    if (!(await deps.heldChanges.close(id, 'undone', tx))) throw notUndoable('late');
    if (changes.length > 0 && !(await deps.events.replaceMany(changes, tx))) throw new Refused({ code: 'stale' });
    // An edit since may have planned reminders.
    await deps.onEventsChanged(changes, tx);
    return change;
  });
}

/** Whether a new rule has given the series another event on a date that would come back from its deletion. */
async function isReplaced({ events }: EventDeps, scope: Scope, changes: readonly EventChange[], tx: Tx) {
  const parent_id = changes[0] ? seriesOf(changes[0].after) : null;
  const series = parent_id === null ? [] : await events.findSeries(scope, parent_id, tx);
  return changes.some(({ after }) => series.some((one) => one.id !== after.id && dateOf(one) === dateOf(after)));
}

/** The events as they are now, deleted ones too. The caller must be allowed to take the action on each of them. */
async function loadEvents(
  { events }: EventDeps,
  caller: Caller,
  change: HeldChange,
  tx: Tx,
): Promise<ReadonlyMap<string, SchoolEvent>> {
  const ids = change.events.map((one) => one.id);
  const found = byId(await events.findWithDeleted(caller, ids, tx));
  for (const { id, before } of change.events) {
    const event = found.get(id);
    const subject = event && { ...event, ...before };
    if (!subject || !maySee(caller, subject)) throw notFound();
    const forbidden = permissionRefusal(subject, change.action, caller);
    if (forbidden) throw new Refused(forbidden);
  }
  return found;
}

const WHY_NOT = {
  late: 'The time to undo this change is over. Its messages are being sent.',
  changed: 'The event has been changed again since. Undo the later change first, or change the event yourself.',
} as const;

const notUndoable = (why: keyof typeof WHY_NOT) =>
  new Refused({ code: 'not_undoable', detail: WHY_NOT[why], extra: { reason: why } });

/**
 * Releases held changes that can't be undone any more: records their facts, which notify people, and updates the derived data
 * of their events. Any number of clocks may run; the transaction that ends a hold records its facts. Then signals open pages.
 * @returns how many were released
 */
export async function releaseDue(deps: EventDeps, signal?: AbortSignal): Promise<number> {
  const changed: string[] = [];
  const releaseOne = async ([id]: readonly string[], tx: Tx) => {
    const change = await deps.heldChanges.close(String(id), 'released', tx);
    if (!change) return 0;
    await deps.facts.record(change.facts, tx);
    const ids = change.events.map((event) => event.id);
    const events = await deps.events.findWithDeleted(change, ids, tx);
    const unchanged = events.map((event) => ({ before: event, after: event }));
    await deps.onEventsChanged(unchanged, tx);
    changed.push(...ids);
    return 1;
  };
  const released = await processDue(deps, deps.heldChanges.findDue, releaseOne, { size: 1, signal });
  if (changed.length > 0) await deps.events.clearHolds(changed);
  return released;
}
