import { type Group, groupBy } from '../../core/groups.ts';
import type { SchoolEvent } from '../../events/event.ts';
import type { Fact } from '../../outbox/fact.ts';
import { scopeOf } from '../../people/caller.ts';
import type { Delivery } from '../delivery.ts';
import type { NotificationStores } from '../stores.ts';

/** A person, and the announcement that notified them last. */
type Notified = { user_id: string; fact: Fact | undefined };

/** More edits than anyone makes between two publications. */
const CHANGES = 100;

/**
 * Loads which of these people no other message on this channel has reached since the event was first changed after their
 * announcement. A message states the date and place of the moment in which it is sent, so the others may know another one.
 * @param event_ids of the event and of the messages that named it
 */
export async function loadUnreachedSince(
  { deliveries, facts }: NotificationStores,
  [row]: Group<Delivery>,
  { event, event_ids }: { event: SchoolEvent; event_ids: readonly string[] },
  notified: readonly Notified[],
): Promise<ReadonlySet<string>> {
  const unreached = new Set(notified.map(({ user_id }) => user_id));
  if (unreached.size === 0) return unreached;
  const changes = await facts.listOfEvent(event, event.id, { types: ['event.changed'], limit: CHANGES });
  for (const people of groupBy(notified, ({ fact }) => fact?.id ?? '')) {
    const [{ fact }] = people;
    const first = fact && changes.findLast(({ occurred_at }) => occurred_at > fact.occurred_at);
    if (!first) continue;
    const of = { ...scopeOf(event), event_ids, channel: row.channel, user_ids: people.map(({ user_id }) => user_id) };
    const reached = await deliveries.findReachedSince(of, first.occurred_at, row.fact_id);
    for (const user_id of reached) unreached.delete(user_id);
  }
  return unreached;
}
