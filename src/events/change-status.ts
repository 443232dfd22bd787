import { invalid, Refused } from '../core/errors.ts';
import type { Tx } from '../core/transaction.ts';
import { actorOf, type Caller } from '../people/caller.ts';
import { type Address, addressedEvent, siblingsMeant } from './address.ts';
import { applyPlan } from './apply-plan.ts';
import type { Change, Changed } from './change.ts';
import type { SchoolEvent } from './event.ts';
import type { EventDeps } from './ports.ts';
import { leadOccurrenceOf } from './rules/lead-occurrence.ts';
import { type Move, moved } from './rules/transitions.ts';

type MoveInput = Address & { move: Move };

/**
 * What a move would change: publish, unpublish, cancel, postpone, schedule, return, start, complete, delete; with a
 * scope for others of the series too. Reads and checks only. Repeating a move that was done is `invalid_transition`;
 * safe retries are the Idempotency-Key's.
 * @throws Refused `not_found`, `forbidden`, `stale`, `invalid_transition`, `validation_failed`
 */
export async function planMove(deps: EventDeps, caller: Caller, input: MoveInput, tx?: Tx): Promise<Change[]> {
  const { move } = input;
  const event = await addressedEvent(deps, caller, input, move.action, tx);
  const siblings = await siblingsMeant(deps, caller, event, input, move.action, tx);
  const now = deps.clock.now();
  const announcer = leadOccurrenceOf([event, ...siblings], now);
  return [event, ...siblings].map((one) => {
    const quiet = move.action === 'publish' && one.id !== announcer;
    const own: Move = quiet ? { action: 'publish', announced_with: announcer } : move;
    return mustChange(moved(one, own, actorOf(caller), now));
  });
}

/** The move, made. @returns the event after it */
export const moveEvent = (deps: EventDeps, caller: Caller, input: MoveInput): Promise<SchoolEvent> =>
  applyPlan(deps, (tx) => planMove(deps, caller, input, tx));

/** @throws Refused, where a rule says no */
export function mustChange(result: Changed): Change {
  if ('faults' in result) throw invalid(result.faults);
  if ('refusal' in result) throw new Refused(result.refusal);
  return result;
}
