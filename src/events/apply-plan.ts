import { Refused } from '../core/errors.ts';
import type { Tx } from '../core/transaction.ts';
import type { Change } from './change.ts';
import type { SchoolEvent } from './event.ts';
import type { EventDeps } from './ports.ts';

/** The changes an operation would make, the addressed event's first. Reads and checks; writes nothing. */
export type Plan = (tx?: Tx) => Promise<Change[]>;

/**
 * Makes the changes of a plan: events, facts and what is derived from them in one transaction, so that a 2xx means all
 * of it is durable. A dry run calls the same plan and leaves it at that. May run the plan again after a conflict.
 * @returns the addressed event as it is now
 */
export async function applyPlan(deps: EventDeps, plan: Plan): Promise<SchoolEvent> {
  return deps.transact(async (tx) => {
    const changes = await plan(tx);
    await storeChanges(deps, changes, tx);
    return addressed(changes);
  });
}

type StoringDeps = Pick<EventDeps, 'events' | 'facts' | 'onEventsChanged'>;

/** Writes changes within a transaction; one that changes nothing is left out. */
export async function storeChanges(deps: StoringDeps, changes: readonly Change[], tx: Tx): Promise<void> {
  const made = changes.filter(({ before, after }) => before !== after);
  const fresh = made.filter(({ before }) => before === null).map(({ after }) => after);
  if (fresh.length > 0) await deps.events.insert(fresh, tx);
  const replaced = made.flatMap(({ before, after }) => (before ? [{ before, after }] : []));
  if (replaced.length > 0 && !(await deps.events.replaceMany(replaced, tx))) throw new Refused({ code: 'stale' });
  const facts = made.flatMap((change) => change.facts);
  if (facts.length > 0) await deps.facts.record(facts, tx);
  // A draft that never was anything else has nothing derived from it.
  const derived = made.filter(({ before, after }) => before || after.status !== 'draft');
  if (derived.length > 0) await deps.onEventsChanged(derived, tx);
}

export function addressed(changes: readonly Change[]): SchoolEvent {
  const [first] = changes;
  if (!first) throw new Error('a plan names the addressed event');
  return first.after;
}
