import { invalid, Refused } from '../core/errors.ts';
import type { Tx } from '../core/transaction.ts';
import { actorOf, type Caller } from '../people/caller.ts';
import { type Address, loadAddressedEvent, loadSiblings } from './address.ts';
import { applyPlan } from './apply-plan.ts';
import type { Change, Changed } from './change.ts';
import type { SchoolEvent } from './event.ts';
import type { EventDeps } from './ports.ts';
import { leadOccurrenceOf } from './rules/lead-occurrence.ts';
import { type Move, moved } from './rules/transitions.ts';

type MoveInput = Address & { move: Move };

/**
 * Plans a move (publish, unpublish, cancel, postpone, schedule, return, start, complete, delete) of an event, with a scope
 * also of others of its series. Reads and checks only. Repeating a move is `invalid_transition`; for safe retries use an
 * Idempotency-Key.
 * @throws Refused `not_found`, `forbidden`, `stale`, `invalid_transition`, `validation_failed`
 */
export async function planMove(deps: EventDeps, caller: Caller, input: MoveInput, tx?: Tx): Promise<Change[]> {
  const { move } = input;
  const event = await loadAddressedEvent(deps, caller, input, move.action, tx);
  const siblings = await loadSiblings(deps, caller, event, input, move.action, tx);
  const now = deps.clock.now();
  const lead = leadOccurrenceOf([event, ...siblings], now);
  return [event, ...siblings].map((one) => {
    const isCovered = move.action === 'publish' && one.id !== lead;
    const own: Move = isCovered ? { action: 'publish', announced_with: lead } : move;
    return changeOrThrow(moved(one, own, actorOf(caller), now));
  });
}

/** Plans and applies a move. @returns the event after it */
export const moveEvent = (deps: EventDeps, caller: Caller, input: MoveInput): Promise<SchoolEvent> =>
  applyPlan(deps, (tx) => planMove(deps, caller, input, tx));

/** @throws Refused if a rule refuses the change */
export function changeOrThrow(result: Changed): Change {
  if ('faults' in result) throw invalid(result.faults);
  if ('refusal' in result) throw new Refused(result.refusal);
  return result;
}
