import { Refused } from '../core/errors.ts';
import type { Tx } from '../core/transaction.ts';
import type { Change } from './change.ts';
import type { SchoolEvent } from './event.ts';
import type { EventDeps } from './ports.ts';

/** Computes the changes of an operation, the addressed event's first. Reads and checks; writes nothing. */
export type Plan = (tx?: Tx) => Promise<Change[]>;

/**
 * Applies a plan: events, facts and derived data in one transaction, so that a 2xx means that all of it is durable. A dry
 * run calls the same plan without applying it. Runs the plan again after a write conflict.
 * @returns the changes that were made
 */
export async function applyPlan(deps: EventDeps, plan: Plan): Promise<Change[]> {
  return deps.transact(async (tx) => {
    const changes = await plan(tx);
    await storeChanges(deps, changes, tx);
    return changes;
  });
}

type StoringDeps = Pick<EventDeps, 'events' | 'facts' | 'onEventsChanged'>;

/** Stores changes in a transaction; skips those that change nothing. */
export async function storeChanges(deps: StoringDeps, changes: readonly Change[], tx: Tx): Promise<void> {
  const real = changes.filter(({ before, after }) => before !== after);
  const fresh = real.filter(({ before }) => before === null).map(({ after }) => after);
  if (fresh.length > 0) await deps.events.insert(fresh, tx);
  const replaced = real.flatMap(({ before, after }) => (before ? [{ before, after }] : []));
  if (replaced.length > 0 && !(await deps.events.replaceMany(replaced, tx))) throw new Refused({ code: 'stale' });
  const facts = real.flatMap((change) => change.facts);
  if (facts.length > 0) await deps.facts.record(facts, tx);
  // New drafts have no derived data.
  const derived = real.filter(({ before, after }) => before || after.status !== 'draft');
  if (derived.length > 0) await deps.onEventsChanged(derived, tx);
}

export function addressedEventOf(changes: readonly Change[]): SchoolEvent {
  const [first] = changes;
  if (!first) throw new Error('a plan names the addressed event');
  return first.after;
}
