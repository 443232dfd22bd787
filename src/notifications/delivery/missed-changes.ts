import { byId, type Group } from '../../core/groups.ts';
import { instantsOf } from '../../events/rules/schedule.ts';
import { type Fact, factsOfDates } from '../../outbox/fact.ts';
import { scopeOf } from '../../people/caller.ts';
import type { Delivery } from '../delivery.ts';
import type { NamedDate, Now } from '../policy/gate.ts';
import { undoneSince } from '../policy/recipients.ts';
import { isCorrection } from '../policy/trigger.ts';
import type { OfPeople } from '../ports.ts';
import type { NotificationStores } from '../stores.ts';

/** The key of a missed change: a person, and the event that changed. */
export const personAndEvent = (user_id: string, event_id = ''): string => `${user_id} ${event_id}`;

/**
 * The people to whom these messages go, on their channel.
 * @param event_ids of the events that earlier messages to them may be about
 */
export function peopleOf(rows: Group<Delivery>, event_ids: readonly string[]): OfPeople {
  const [first] = rows;
  return { ...scopeOf(first), event_ids, channel: first.channel, user_ids: rows.map((row) => row.user_id) };
}

/**
 * Loads, by person and event, the first change of which this channel did not notify them, nor of a later one: this message
 * replaces those changes.
 * @param event_ids of the dates and of the messages that named them
 */
export async function loadMissedChanges(
  { deliveries, facts }: NotificationStores,
  rows: Group<Delivery>,
  [date]: readonly NamedDate[],
  event_ids: readonly string[],
): Promise<ReadonlyMap<string, Fact>> {
  const [first] = rows;
  // The reader of an undone change learned of it from another message, such as a confirmation.
  if (!date || !isCorrection(first.trigger) || undoneSince(date.fact)) return new Map();
  const { occurred_at } = date.fact;
  const changes = await deliveries.findChanges(peopleOf(rows, event_ids), occurred_at);
  const missed = new Map<string, Fact>();
  if (changes.length === 0) return missed;
  const found = byId(await facts.findMany([...new Set(changes.map(({ fact_id }) => fact_id))]));
  for (const { user_id, fact_id, settled_at, notified } of changes.sort((a, b) => (a.fact_id < b.fact_id ? -1 : 1))) {
    const fact = found.get(fact_id);
    const dates = fact && fact.occurred_at < occurred_at ? factsOfDates(fact) : [];
    // A message about several dates leaves out one that has changed again before it is sent.
    const isLeftOut = dates.length > 1 && settled_at !== null && settled_at >= occurred_at;
    for (const own of dates) {
      const key = personAndEvent(user_id, own.event_id);
      const before = missed.get(key);
      if (notified && !isLeftOut) missed.delete(key);
      // The first change may have left the place as it was.
      else missed.set(key, before ? ({ ...before, data: { ...own.data, ...before.data } } as Fact) : own);
    }
  }
  return missed;
}

/**
 * The date as a reader knows it. A reader who missed some changes reads the date and place before the first of them; the fact
 * then gets another id, so that its content is not shared with other readers. A cancellation names the date and place before a
 * change of which no one was notified.
 */
export function asKnown(state: Now, first = state.fact): Now {
  const { event, fact } = state;
  if (!event || !fact || !first) return state;
  const known = first === fact ? fact : { ...fact, id: `${fact.id} ${first.id}` };
  if (!('previous' in first.data) || !first.data.previous) return { ...state, fact: known };
  const { previous, previous_place } = first.data;
  const data = { ...fact.data, previous, ...(previous_place ? { previous_place } : {}) };
  const shown = { ...state, fact: { ...known, data } as Fact };
  if (fact.type !== 'event.cancelled') return shown;
  return { ...shown, event: { ...event, ...previous, ...instantsOf(previous), ...previous_place } };
}
