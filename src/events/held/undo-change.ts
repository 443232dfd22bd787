import { notFound, Refused } from '../../core/errors.ts';
import type { Tx } from '../../core/transaction.ts';
import type { Caller } from '../../people/caller.ts';
import { missingPermission } from '../../people/permissions.ts';
import { maySee } from '../../people/visibility.ts';
import type { SchoolEvent } from '../event.ts';
import type { EventDeps } from '../ports.ts';
import { lackingPermission } from '../rules/lifecycle.ts';
import { type HeldChange, restored } from './held-change.ts';

/**
 * Undoes a held change in all of its events, with the permission of the change. None of its messages is sent, and it
 * disappears from the history. Repeating it is harmless.
 * @throws Refused `not_found`, `forbidden`, `not_undoable`
 */
export async function undoChange(deps: EventDeps, caller: Caller, id: string): Promise<HeldChange> {
  return deps.transact(async (tx) => {
    const change = await deps.heldChanges.find(caller, id, tx);
    if (!change) throw notFound();
    const events = await loadEvents(deps, caller, change, tx);
    if (change.state === 'undone') return change;
    const now = deps.clock.now();
    if (change.state === 'released' || change.until <= now) throw notUndoable('late');
    const changes = change.events.map((fields) => {
      const event = events.get(fields.id);
      const after = event && restored(event, fields);
      if (!after) throw notUndoable('changed');
      return { before: event, after };
    });
    if (!(await deps.heldChanges.close(id, 'undone', tx))) throw notUndoable('late');
    if (changes.length > 0 && !(await deps.events.replaceMany(changes, tx))) throw new Refused({ code: 'stale' });
    // An edit since may have planned reminders.
    await deps.onEventsChanged(changes, tx);
    return change;
  });
}

/** The events as they are now, deleted ones too. The caller must be allowed to take the action on each of them. */
async function loadEvents(
  { events }: EventDeps,
  caller: Caller,
  change: HeldChange,
  tx: Tx,
): Promise<ReadonlyMap<string, SchoolEvent>> {
  const ids = change.events.map((one) => one.id);
  const found = new Map((await events.findWithDeleted(caller, ids, tx)).map((event) => [event.id, event]));
  for (const { id, before } of change.events) {
    const event = found.get(id);
    const subject = event && { ...event, ...before };
    if (!subject || !maySee(caller, subject)) throw notFound();
    const lacking = lackingPermission(subject, change.action, caller);
    if (lacking) throw new Refused({ code: 'forbidden', detail: missingPermission(lacking) });
  }
  return found;
}

const WHY_NOT = {
  late: 'The time to undo this change is over. Its messages are being sent.',
  changed: 'The event has been changed again since. Undo the later change first, or change the event yourself.',
} as const;

const notUndoable = (why: keyof typeof WHY_NOT) =>
  new Refused({ code: 'not_undoable', detail: WHY_NOT[why], extra: { reason: why } });
