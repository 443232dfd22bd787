import { type ErrorCode, type FieldFault, type Refusal, Refused } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Tx } from '../core/transaction.ts';
import { type NewFact, withId } from '../outbox/fact.ts';
import { scopeOf } from '../people/caller.ts';
import type { SchoolEvent } from './event.ts';
import { beforeAndAfter, GRACE_MS, type HeldChange } from './held-change.ts';
import type { EventChange, EventDeps } from './ports.ts';

/** The change of one event with its facts; `applyPlan` stores them together. */
export type Change = EventChange & { facts: NewFact[]; left_out?: LeftOut };

/** The fields that an operation on a series did not change in one occurrence, and why. No fields: it changed nothing there. */
export type LeftOut = {
  fields: string[];
  code: ErrorCode | 'overridden' | 'has_registrations' | 'begun';
  detail: string;
};

/** An occurrence that an operation leaves as it is. */
export const unchanged = (event: SchoolEvent, left_out?: LeftOut): Change => ({
  before: event,
  after: event,
  facts: [],
  left_out,
});

/** The result of a rule: the change, or why it is refused. */
export type Changed = Change | { faults: FieldFault[] } | { refusal: Refusal };

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

/** For how many seconds a change can be undone. */
export type Hold = Pick<HeldChange, 'action'> & { seconds: number };

/**
 * As `applyPlan`, for a plan that changes existing events. The change can be undone for some seconds, and its facts are
 * recorded only after that.
 */
export async function holdPlan(
  deps: EventDeps,
  plan: Plan,
  { action, seconds }: Hold,
): Promise<{ changes: Change[]; held: HeldChange }> {
  return deps.transact(async (tx) => {
    const changes = await plan(tx);
    const until = new Date(deps.clock.now().getTime() + seconds * 1_000);
    const release_at = new Date(until.getTime() + GRACE_MS);
    const replaced = changes.flatMap(({ before, after }) =>
      before && before !== after ? [{ before, after: { ...after, held_until: release_at } }] : [],
    );
    const held: HeldChange = {
      ...scopeOf(addressedEventOf(changes)),
      id: newId(),
      action,
      until,
      release_at,
      state: 'held',
      events: replaced.map(({ before, after }) => beforeAndAfter(before, after)),
      facts: changes.flatMap(({ facts }) => facts.map(withId)),
    };
    if (!(await deps.events.replaceMany(replaced, tx))) throw new Refused({ code: 'stale' });
    await deps.heldChanges.insert(held, tx);
    return { changes, held };
  });
}

/** Stores changes in a transaction; skips those that change nothing. */
export async function storeChanges(deps: EventDeps, changes: readonly Change[], tx: Tx): Promise<void> {
  const real = changes.filter(({ before, after }) => before !== after);
  const fresh = real.filter(({ before }) => before === null).map(({ after }) => after);
  if (fresh.length > 0) await deps.events.insert(fresh, tx);
  const replaced = real.flatMap(({ before, after }) => (before ? [{ before, after }] : []));
  if (replaced.length > 0 && !(await deps.events.replaceMany(replaced, tx))) throw new Refused({ code: 'stale' });
  const facts = real.flatMap((change) => change.facts);
  await deps.facts.record(facts, tx);
  // New drafts have no derived data.
  const derived = real.filter(({ before, after }) => before || after.status !== 'draft');
  await deps.onEventsChanged(derived, tx);
}

export function addressedEventOf(changes: readonly Change[]): SchoolEvent {
  const [first] = changes;
  if (!first) throw new Error('a plan names the addressed event');
  return first.after;
}
