import { invalid, notFound, Refused } from '../kernel/errors.ts';
import { type Actor, actorOf, type Caller, type Scope } from '../people/caller.ts';
import { may, mustBeAllowed } from '../people/permissions.ts';
import type { SchoolEvent } from './event.ts';
import { findEvent } from './find.ts';
import { ACTIONS, allowedActions, isPossible, refusalOf } from './lifecycle.ts';
import { type Move, moved } from './moves.ts';
import type { EventDeps } from './ports.ts';

/**
 * Publish, unpublish, cancel, postpone, start, complete: checks, changes and records in one transaction, so that a 2xx
 * means the change, its fact and everything derived from it are durable. Repeating a move that was done is
 * `invalid_transition`; safe retries are the Idempotency-Key's.
 * @param ifMatch the version the caller has read; any other is `stale`
 * @throws Refused `not_found`, `forbidden`, `stale`, `invalid_transition`, `validation_failed`
 */
export async function moveEvent(
  deps: EventDeps,
  caller: Caller,
  { id, move, ifMatch }: { id: string; move: Move; ifMatch?: number | undefined },
): Promise<SchoolEvent> {
  return deps.transact(async (tx) => {
    const event = await findEvent(deps, caller, id, tx);
    mustBeAllowed(caller, ACTIONS[move.action].permission);
    if (ifMatch !== undefined && ifMatch !== event.version) throw new Refused({ code: 'stale' });
    const refusal = refusalOf(
      event,
      move.action,
      allowedActions(event, (permission) => may(caller, permission)),
    );
    if (refusal) throw new Refused(refusal);
    return store(deps, event, move, actorOf(caller), tx);
  });
}

/**
 * The same for the clock and other workers: nobody is asked for permission, and a move that is no longer possible is
 * left out without an error, since somebody else has done it or the event has changed.
 * @returns the event after the move, or null
 */
export async function moveBySystem(
  deps: EventDeps,
  scope: Scope,
  { id, move, stillDue }: { id: string; move: Move; stillDue: (event: SchoolEvent) => boolean },
): Promise<SchoolEvent | null> {
  return deps.transact(async (tx) => {
    const event = await deps.events.find(scope, id, tx);
    if (!event || !isPossible(event.status, move.action) || !stillDue(event)) return null;
    return store(deps, event, move, 'system', tx);
  });
}

async function store(
  deps: EventDeps,
  event: SchoolEvent,
  move: Move,
  actor: Actor,
  tx: Parameters<Parameters<EventDeps['transact']>[0]>[0],
): Promise<SchoolEvent> {
  const result = moved(event, move, actor, deps.clock.now());
  if ('faults' in result) throw invalid(result.faults);
  if (!(await deps.events.replace(result.event, event.version, tx))) throw notFound();
  await deps.facts.record(result.facts, tx);
  await deps.keepInStep(event, result.event, tx);
  return result.event;
}
