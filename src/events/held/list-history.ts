import type { Fact, FactType } from '../../outbox/fact.ts';
import type { SchoolEvent } from '../event.ts';
import type { EventDeps } from '../ports.ts';

type Query = { limit: number; before?: string | undefined; types?: readonly FactType[] | undefined };

/** Facts of one event as `FactStore.listOfEvent`, newest first, with those of changes that can still be undone. */
export async function listHistory(
  { facts, heldChanges }: Pick<EventDeps, 'facts' | 'heldChanges'>,
  event: SchoolEvent,
  { limit, before, types }: Query,
): Promise<Fact[]> {
  // Held facts first: one that is recorded meanwhile is then read twice rather than not at all.
  const held = (await heldChanges.factsOf(event, event.id)).filter(
    ({ id, type }) => (before === undefined || id < before) && (types?.includes(type) ?? true),
  );
  const recorded = await facts.listOfEvent(event, event.id, { limit, before, types });
  const byId = new Map([...held, ...recorded].map((fact) => [fact.id, fact]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
}
