import type { Fact } from '../../outbox/fact.ts';
import type { FactStore } from '../../outbox/ports.ts';
import type { Delivery } from '../delivery.ts';
import { ruleOf } from '../policy/trigger.ts';
import type { DeliveryStore, OtherAnnouncement } from '../ports.ts';

type Deps = { deliveries: Pick<DeliveryStore, 'findOtherAnnouncements'>; facts: Pick<FactStore, 'find'> };

/** Ids of people, by what an earlier announcement of the event did for them. */
export type NotifiedBefore = {
  /** an announcement with the same date and place reached them */
  notified: ReadonlySet<string>;
  /** an announcement is on its way to them: the message waits for its result */
  inFlight: ReadonlySet<string>;
  /** no announcement reached them: a correction means nothing to them */
  neverNotified: ReadonlySet<string>;
};

/**
 * Loads who was notified before, for rows of one fact and channel. An event that is unpublished and published again
 * notifies nobody twice of the same date and place, except those who were notified that it is being revised. A correction goes only to people whom an announcement reached.
 * Reads nothing for the first announcement.
 */
export async function loadNotifiedBefore(
  deps: Deps,
  rows: readonly Delivery[],
  fact: Fact | null,
): Promise<NotifiedBefore> {
  const [first] = rows;
  if (first && fact && ruleOf(first.trigger).recipients === 'registered') return loadForCorrection(deps, rows, fact);
  if (!first || fact?.type !== 'event.published' || fact.data.says === undefined || fact.data.sequence <= 1) {
    return NONE;
  }
  const user_ids = rows.map((row) => row.user_id);
  const valid = validOf(
    await deps.deliveries.findOtherAnnouncements(first, first.event_id, first.channel, user_ids, fact.id),
  );
  const earlier = [...valid.values()].flat();
  const same = new Set<string>();
  for (const fact_id of new Set(earlier.map((row) => row.fact_id))) {
    const other = await deps.facts.find(fact_id);
    if (other?.type === 'event.published' && other.data.says === fact.data.says) same.add(fact_id);
  }
  const alike = earlier.filter((row) => same.has(row.fact_id));
  const of = (settled: boolean) => new Set(alike.filter((row) => row.settled === settled).map((row) => row.user_id));
  // Registered people outside of the audience only have to learn that the event is no longer being revised.
  const outside = fact.data.after_unpublishing ? rows.filter((row) => row.registration_ids.length > 0) : [];
  const unaware = outside.flatMap(({ user_id }) => (valid.has(user_id) ? [] : [user_id]));
  return { notified: new Set([...of(true), ...unaware]), inFlight: of(false), neverNotified: NO_PEOPLE };
}

/** By person, the announcements since the last notice that the event was unpublished. */
function validOf(all: readonly OtherAnnouncement[]): Map<string, OtherAnnouncement[]> {
  const valid = new Map<string, OtherAnnouncement[]>();
  for (const one of all) valid.set(one.user_id, one.withdrawn ? [] : [...(valid.get(one.user_id) ?? []), one]);
  return valid;
}

/** Only rows without a registration: registered people are notified in any case. */
async function loadForCorrection({ deliveries }: Deps, rows: readonly Delivery[], fact: Fact): Promise<NotifiedBefore> {
  const [first, ...more] = rows.filter((row) => row.registration_ids.length === 0);
  if (!first) return NONE;
  const user_ids = [first, ...more].map((row) => row.user_id);
  const others = await deliveries.findOtherAnnouncements(first, first.event_id, first.channel, user_ids, fact.id);
  const announced = [...validOf(others).values()].flat();
  const notified = new Set(announced.filter(({ settled }) => settled).map((row) => row.user_id));
  const inFlight = new Set(announced.map((row) => row.user_id).filter((user_id) => !notified.has(user_id)));
  const neverNotified = new Set(user_ids.filter((user_id) => !notified.has(user_id) && !inFlight.has(user_id)));
  return { notified: NO_PEOPLE, inFlight, neverNotified };
}

const NO_PEOPLE: ReadonlySet<string> = new Set();
const NONE: NotifiedBefore = { notified: NO_PEOPLE, inFlight: NO_PEOPLE, neverNotified: NO_PEOPLE };
