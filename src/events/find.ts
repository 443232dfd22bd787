import { notFound } from '../core/errors.ts';
import type { Tx } from '../core/transaction.ts';
import type { Caller } from '../people/caller.ts';
import { maySee } from '../people/visibility.ts';
import type { SchoolEvent } from './event.ts';
import type { EventStore } from './ports.ts';

/**
 * One event the caller may see. An event that does not exist, is another school's or hidden from the caller is the same
 * `not_found` (decisions.md).
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
