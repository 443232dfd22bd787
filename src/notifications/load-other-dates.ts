import type { SchoolEvent } from '../events/event.ts';
import type { EventStore } from '../events/ports.ts';
import { type Fact, factsOfDates } from '../outbox/fact.ts';

/** Loads the events that the messages of these facts name besides those with the given ids. */
export async function loadOtherDates(
  events: Pick<EventStore, 'findMany'>,
  facts: readonly Fact[],
  known_ids: readonly string[],
): Promise<SchoolEvent[]> {
  const named = facts.flatMap((fact) => factsOfDates(fact).map(({ event_id }) => event_id));
  const others = [...new Set(named)].filter((id) => !known_ids.includes(id));
  return others.length > 0 ? events.findMany(others) : [];
}
