import { notFound } from '../core/errors.ts';
import type { Tx } from '../core/transaction.ts';
import type { Caller } from '../people/caller.ts';
import { maySee } from '../people/visibility.ts';
import type { SchoolEvent } from './event.ts';
import type { EventStore } from './ports.ts';

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
