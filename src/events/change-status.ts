import { invalid, type Refusal, Refused } from '../core/errors.ts';
import type { Tx } from '../core/transaction.ts';
import { actorOf, type Caller } from '../people/caller.ts';
import { type Address, loadAddressedEvent, loadSiblings } from './address.ts';
import { type Change, type Changed, unchanged } from './change.ts';
import type { SchoolEvent } from './event.ts';
import type { EventDeps } from './ports.ts';
import { inOneMessage } from './rules/series/lead-occurrence.ts';
import { type Move, moved, moveFor } from './rules/transitions.ts';

type MoveInput = Address & { move: Move };

/**
 * Plans a move (publish, unpublish, cancel, postpone, schedule, return, start, complete, delete) of an event, with a scope
 * also of others of its series; occurrences whose state or permissions do not allow it are left out. Reads and checks only.
 * Repeating a move is `invalid_transition`; for safe retries use an Idempotency-Key.
 * @throws Refused `not_found`, `forbidden`, `stale`, `invalid_transition`, `validation_failed`
 */
export async function planMove(deps: EventDeps, caller: Caller, input: MoveInput, tx?: Tx): Promise<Change[]> {
  const { move } = input;
  const event = await loadAddressedEvent(deps, caller, input, move.action, tx);
  const siblings = await loadSiblings(deps, caller, event, input, move.action, tx);
  const now = deps.clock.now();
  const able = [event, ...siblings.flatMap(({ sibling, refusal }) => (refusal ? [] : sibling))];
  const changes = able.map((one) => changeOrThrow(moved(one, moveFor(one, event, move), actorOf(caller), now)));
  return [...inOneMessage(changes, now), ...leftOut(siblings)];
}

/** The occurrences in which an action is refused. */
export const leftOut = (siblings: readonly { sibling: SchoolEvent; refusal: Refusal | null }[]): Change[] =>
  siblings.flatMap(({ sibling, refusal }) =>
    refusal ? unchanged(sibling, { fields: [], code: refusal.code, detail: refusal.detail ?? '' }) : [],
  );

/** @throws Refused if a rule refuses the change */
export function changeOrThrow(result: Changed): Change {
  if ('faults' in result) throw invalid(result.faults);
  if ('refusal' in result) throw new Refused(result.refusal);
  return result;
}
