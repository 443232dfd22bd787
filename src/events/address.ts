import { notFound, type Refusal, Refused } from '../core/errors.ts';
import type { Tx } from '../core/transaction.ts';
import type { Caller } from '../people/caller.ts';
import { maySee } from '../people/visibility.ts';
import type { SchoolEvent } from './event.ts';
import type { EventStore } from './ports.ts';
import { type Action, permissionRefusal, refusalOf } from './rules/lifecycle.ts';
import { type SeriesScope, seriesOf, siblingsInScope } from './rules/series/recurrence.ts';

/** The event an operation addresses, with the scope within its series and the version that the caller has read. */
export type Address = { id: string; scope?: SeriesScope | undefined; ifMatch?: number | undefined };

/**
 * Loads one event that the caller may see.
 * @throws Refused `not_found`, also if the event is of another school or hidden from the caller (decisions.md)
 */
export async function findEvent(
  deps: { events: EventStore },
  caller: Caller,
  id: string,
  tx?: Tx,
): Promise<SchoolEvent> {
  const event = await deps.events.find(caller, id, tx);
  if (!event || !maySee(caller, event)) throw notFound();
  return event;
}

/**
 * Loads the addressed event and checks that the caller may take the action now.
 * @throws Refused `not_found`, `forbidden`, `stale`, `invalid_transition`, `event_not_editable`, in this order
 */
export async function loadAddressedEvent(
  deps: { events: EventStore },
  caller: Caller,
  { id, ifMatch }: Address,
  action: Action,
  tx?: Tx,
): Promise<SchoolEvent> {
  const event = await findEvent(deps, caller, id, tx);
  const forbidden = permissionRefusal(event, action, caller);
  if (forbidden) throw new Refused(forbidden);
  const refusal = refusalOf(event, action, caller);
  if (ifMatch !== undefined && ifMatch !== event.version) throw new Refused({ code: 'stale' });
  if (refusal) throw new Refused(refusal);
  return event;
}

/** Loads the other occurrences in the scope that the caller may see, in order, each with the reason against the action. */
export async function loadSiblings(
  deps: { events: EventStore },
  caller: Caller,
  event: SchoolEvent,
  { scope = 'this' }: Address,
  action: Action,
  tx?: Tx,
): Promise<{ sibling: SchoolEvent; refusal: Refusal | null }[]> {
  const parent_id = seriesOf(event);
  if (scope === 'this' || parent_id === null) return [];
  const series = await deps.events.series(caller, parent_id, tx);
  return siblingsInScope(event, series, scope)
    .filter((other) => maySee(caller, other))
    .map((sibling) => ({ sibling, refusal: refusalOf(sibling, action, caller) }));
}
