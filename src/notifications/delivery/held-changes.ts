import type { Group } from '../../core/groups.ts';
import { instantsOf } from '../../events/rules/schedule.ts';
import { type Fact, factsOfDates } from '../../outbox/fact.ts';
import { descriptorOf } from '../../people/channels.ts';
import type { Delivery } from '../delivery.ts';
import type { NamedDate, Now } from '../policy/gate.ts';
import type { Trigger } from '../policy/trigger-table.ts';
import type { NotificationStores } from '../stores.ts';

/** The messages that state what has become of a date, and replace those about earlier changes of it. */
const REPLACING: readonly Trigger[] = ['event.changed', 'event.postponed', 'event.cancelled'];

/**
 * Loads, by person, the earlier changes of which this channel has not notified them, oldest first: this message replaces those.
 * @param event_ids of the dates and of the messages that named them
 */
export async function loadHeldChanges(
  { deliveries, facts }: NotificationStores,
  rows: Group<Delivery>,
  [date]: readonly NamedDate[],
  event_ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Fact[]>> {
  const [first] = rows;
  if (!date || !REPLACING.includes(first.trigger) || !descriptorOf(first.channel).wakes) return new Map();
  const { occurred_at } = date.fact;
  const user_ids = rows.map((row) => row.user_id);
  const held = await deliveries.findHeldChanges(first, event_ids, first.channel, user_ids, occurred_at);
  if (held.length === 0) return new Map();
  const found = await facts.findMany([...new Set(held.map(({ fact_id }) => fact_id))]);
  const earlier = found
    .filter((one) => one.occurred_at < occurred_at)
    .sort((a, b) => a.occurred_at.getTime() - b.occurred_at.getTime());
  const changesOf = (user_id: string) =>
    earlier.filter(({ id }) => held.some((row) => row.user_id === user_id && row.fact_id === id));
  return new Map(user_ids.map((user_id) => [user_id, changesOf(user_id)]));
}

/**
 * A date as a reader knows it who was not notified of some changes: the message names the date and place before them. The id
 * of the fact differs, so that the content is not taken for that of other readers.
 */
export function asKnown(state: Now, changes: readonly Fact[]): Now {
  const { event, fact } = state;
  if (!event || !fact) return state;
  const known = { ...fact, id: [fact, ...changes].map(({ id }) => id).join(' ') };
  const first = [...changes.flatMap(factsOfDates), fact].find(({ event_id }) => event_id === event.id);
  if (!first || !('previous' in first.data) || !first.data.previous) return { ...state, fact: known };
  const { previous, previous_place } = first.data;
  const data = { ...fact.data, previous, ...(previous_place ? { previous_place } : {}) };
  const shown = { ...state, fact: { ...known, data } as Fact };
  if (fact.type !== 'event.cancelled') return shown;
  return { ...shown, event: { ...event, ...previous, ...instantsOf(previous), ...previous_place } };
}
