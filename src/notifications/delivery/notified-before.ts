import { byId, type Group, groupBy } from '../../core/groups.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { seriesOf } from '../../events/rules/series.ts';
import { type Fact, factsOfDates } from '../../outbox/fact.ts';
import { scopeOf } from '../../people/caller.ts';
import type { Delivery } from '../delivery.ts';
import type { NamedDate } from '../policy/gate.ts';
import { isPublishedAgain, REVISIONS } from '../policy/trigger.ts';
import { ruleOf, type Trigger } from '../policy/trigger-table.ts';
import type { NotificationStores, OfPeople, OtherAnnouncement } from '../ports.ts';

/** Ids of people by event. */
export type PeopleByEvent = ReadonlyMap<string, ReadonlySet<string>>;

export const NO_PEOPLE: ReadonlySet<string> = new Set();
export const NO_EVENTS: PeopleByEvent = new Map();
const NONE: NotifiedBefore = { notified: NO_EVENTS, inFlight: NO_PEOPLE, neverNotified: NO_PEOPLE };

/** Ids of people, by what earlier announcements of the dates did for them. */
export type NotifiedBefore = {
  /** by event: an announcement with the same date and place reached them */
  notified: PeopleByEvent;
  /** an announcement is on its way to them: the message waits for its result */
  inFlight: ReadonlySet<string>;
  /** no announcement reached them: a correction means nothing to them */
  neverNotified: ReadonlySet<string>;
};

/**
 * The ids of these dates, and of the lead occurrences whose messages of these triggers named them. Reads nothing for
 * events outside of a series and for first announcements.
 */
export async function loadAnnouncedIds(
  { facts }: NotificationStores,
  trigger: Trigger,
  dates: readonly NamedDate[],
  triggers: readonly Trigger[],
): Promise<string[]> {
  const ids = dates.map(({ event }) => event.id);
  const [first] = dates;
  const isAboutEarlier = ruleOf(trigger).recipients === 'registered' || dates.some(isRepeated);
  if (!first || !isAboutEarlier || dates.every(({ event }) => seriesOf(event) === null)) return ids;
  const types = triggers.map((one) => ruleOf(one).fact);
  return [...new Set([...ids, ...(await facts.findLeads(first.event, ids, types))])];
}

const isRepeated = ({ fact }: NamedDate): boolean => isPublishedAgain(fact) && fact.data.says !== undefined;

/**
 * Loads who was notified before, for rows of one fact and channel. An event that is unpublished and published again notifies
 * no one twice of the same date and place, except those who were notified meanwhile that it is being revised, postponed or
 * changed. A correction goes only to people whom an announcement reached. Reads nothing for the first announcement.
 * @param event_ids of the dates and of their earlier announcements
 */
export async function loadNotifiedBefore(
  deps: NotificationStores,
  rows: Group<Delivery>,
  { dates, event_ids }: { dates: readonly NamedDate[]; event_ids: readonly string[] },
): Promise<NotifiedBefore> {
  const [date] = dates;
  if (!date) return NONE;
  if (ruleOf(rows[0].trigger).recipients === 'registered') return loadForCorrection(deps, rows, dates, event_ids);
  const repeated = dates.filter(isRepeated);
  if (repeated.length === 0) return NONE;
  const { earlier, facts } = await loadEarlier(deps, rows, date.fact, event_ids, REVISIONS);
  const notified = new Map<string, ReadonlySet<string>>();
  const inFlight = new Set<string>();
  for (const { event, fact } of repeated) {
    const about = earlier.filter((row) => names(facts.get(row.fact_id), fact.event_id));
    const valid = validOf(about);
    const last = [...valid.values()].flatMap((announcements) => announcements.at(-1) ?? []);
    const same = last.filter((row) => saysOf(ofDate(facts.get(row.fact_id), event.id)) === saysOf(fact));
    // Whether a notice in flight is sent decides whether this message means something.
    const awaited = [...same, ...about.filter(({ outdates }) => outdates)].filter(({ settled }) => !settled);
    for (const { user_id } of awaited) inFlight.add(user_id);
    const reached = same.filter(({ settled }) => settled);
    const asAnnounced = reached.map(({ user_id, fact_id }) => ({ user_id, fact: facts.get(fact_id) }));
    // Registered people outside of the audience who got no notice of the revision need no notice of its end.
    const outside = 'after_unpublishing' in fact.data ? rows.filter((row) => row.registration_ids.length > 0) : [];
    const unaware = outside.flatMap(({ user_id }) => (valid.has(user_id) ? [] : [user_id]));
    const before = unaware.length > 0 ? await findPublicationBefore(deps, { event, fact }) : undefined;
    const asBefore = saysOf(before) === saysOf(fact) ? unaware.map((user_id) => ({ user_id, fact: before })) : [];
    notified.set(event.id, await loadUnreachedSince(deps, rows, { event, event_ids }, [...asAnnounced, ...asBefore]));
  }
  return { notified, inFlight, neverNotified: NO_PEOPLE };
}

/** Loads the announcements to these people from other facts and the notices that outdate them, with those facts. */
async function loadEarlier(
  deps: NotificationStores,
  rows: Group<Delivery>,
  { id }: Fact,
  event_ids: readonly string[],
  outdatedBy: readonly Trigger[],
) {
  const found = await deps.deliveries.findOtherAnnouncements(peopleOf(rows, event_ids), id, outdatedBy);
  // Newer ones in flight wait for this message.
  const earlier = found.filter((row) => row.settled || row.fact_id < id);
  const fact_ids = new Set(earlier.map(({ fact_id }) => fact_id));
  return { earlier, facts: byId(fact_ids.size > 0 ? await deps.facts.findMany([...fact_ids]) : []) };
}

/** By person, the announcements since the last notice that outdated them. */
function validOf(all: readonly OtherAnnouncement[]): Map<string, OtherAnnouncement[]> {
  const valid = new Map<string, OtherAnnouncement[]>();
  for (const one of all) valid.set(one.user_id, one.outdates ? [] : [...(valid.get(one.user_id) ?? []), one]);
  return valid;
}

const saysOf = (fact: Fact | undefined): string | undefined =>
  fact?.type === 'event.published' ? fact.data.says : undefined;

const ofDate = (fact: Fact | undefined, event_id: string): Fact | undefined =>
  fact && factsOfDates(fact).find((own) => own.event_id === event_id);

/** Whether a message was about a date. Facts that are no longer kept count, because only old ones are removed. */
const names = (fact: Fact | undefined, event_id: string): boolean => !fact || ofDate(fact, event_id) !== undefined;

/** The previous publication; a newer one may have followed this one. */
async function findPublicationBefore(
  { facts }: NotificationStores,
  { event, fact }: NamedDate,
): Promise<Fact | undefined> {
  const publications = await facts.listOfEvent(event, event.id, { types: ['event.published'], limit: 3 });
  return publications.find((one) => one.occurred_at < fact.occurred_at);
}

/** Only rows without a registration: registered people are notified in any case. */
async function loadForCorrection(
  deps: NotificationStores,
  all: readonly Delivery[],
  dates: readonly NamedDate[],
  event_ids: readonly string[],
): Promise<NotifiedBefore> {
  const [first, ...others] = all.filter((row) => row.registration_ids.length === 0);
  const [date] = dates;
  if (!first || !date) return NONE;
  const rows: Group<Delivery> = [first, ...others];
  const { earlier, facts } = await loadEarlier(deps, rows, date.fact, event_ids, ['event.unpublished']);
  const announced = dates.flatMap(({ event }) => {
    const about = earlier.filter((row) => names(facts.get(row.fact_id), event.id));
    return [...validOf(about).values()].flat();
  });
  const user_ids = rows.map((row) => row.user_id);
  const notified = new Set(announced.filter(({ settled }) => settled).map((row) => row.user_id));
  const inFlight = new Set(announced.map((row) => row.user_id).filter((user_id) => !notified.has(user_id)));
  const neverNotified = new Set(user_ids.filter((user_id) => !notified.has(user_id) && !inFlight.has(user_id)));
  return { notified: NO_EVENTS, inFlight, neverNotified };
}

/**
 * The people to whom these messages go, on their channel.
 * @param event_ids of the events that earlier messages to them may be about
 */
export function peopleOf(rows: Group<Delivery>, event_ids: readonly string[]): OfPeople {
  const [first] = rows;
  return { ...scopeOf(first), event_ids, channel: first.channel, user_ids: rows.map((row) => row.user_id) };
}

/** More edits than anyone makes between two publications. */
const CHANGES = 100;

/**
 * Loads which of these people no other message on this channel has reached since the event was first changed after their
 * announcement. A message states the date and place of the moment in which it is sent, so the others may know another one.
 * @param notified people with the announcement that notified them last
 */
async function loadUnreachedSince(
  { deliveries, facts }: NotificationStores,
  rows: Group<Delivery>,
  { event, event_ids }: { event: SchoolEvent; event_ids: readonly string[] },
  notified: readonly { user_id: string; fact: Fact | undefined }[],
): Promise<ReadonlySet<string>> {
  const unreached = new Set(notified.map(({ user_id }) => user_id));
  if (unreached.size === 0) return unreached;
  const changes = await facts.listOfEvent(event, event.id, { types: ['event.changed'], limit: CHANGES });
  for (const people of groupBy(notified, ({ fact }) => fact?.id ?? '')) {
    const [{ fact }] = people;
    const first = fact && changes.findLast(({ occurred_at }) => occurred_at > fact.occurred_at);
    if (!first) continue;
    const of = { ...peopleOf(rows, event_ids), user_ids: people.map(({ user_id }) => user_id) };
    const reached = await deliveries.findReachedSince(of, first.occurred_at, rows[0].fact_id);
    for (const user_id of reached) unreached.delete(user_id);
  }
  return unreached;
}
