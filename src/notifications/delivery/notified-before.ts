import { byId, type Group, mapBy } from '../../core/groups.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { seriesOf } from '../../events/rules/series.ts';
import { type Fact, factsOfDates } from '../../outbox/fact.ts';
import { scopeOf } from '../../people/caller.ts';
import { type Delivery, isOpen, REACHED_STATUSES } from '../delivery.ts';
import type { NamedDate } from '../policy/gate.ts';
import { ALL_TRIGGERS, isCorrection, isPublishedAgain } from '../policy/trigger.ts';
import { ruleOf, type Trigger } from '../policy/trigger-table.ts';
import type { EarlierMessage, NotificationStores } from '../ports.ts';

/** Ids of people by event. */
export type PeopleByEvent = ReadonlyMap<string, ReadonlySet<string>>;

export const NO_PEOPLE: ReadonlySet<string> = new Set();
export const NO_EVENTS: PeopleByEvent = new Map();

/** Messages of other facts to the same people about the same dates, and the facts of those that announce or change dates. */
export type Earlier = { messages: readonly EarlierMessage[]; facts: ReadonlyMap<string, Fact> };

/** Ids of people, by what earlier announcements of the dates did for them. */
export type NotifiedBefore = {
  /** by event: an announcement with the same date and place reached them */
  notified: PeopleByEvent;
  /** an announcement is on its way to them: the message waits for its result */
  inFlight: ReadonlySet<string>;
  /** no announcement reached them: a correction means nothing to them */
  neverNotified: ReadonlySet<string>;
};

/** Loads the ids of these dates, and of the lead occurrences whose messages of these triggers named them. */
export async function loadAnnouncedIds(
  { facts }: NotificationStores,
  dates: readonly NamedDate[],
  triggers: readonly Trigger[],
): Promise<string[]> {
  const ids = dates.map(({ event }) => event.id);
  const [first] = dates;
  if (!first || dates.every(({ event }) => seriesOf(event) === null)) return ids;
  const types = triggers.map((one) => ruleOf(one).fact);
  return [...new Set([...ids, ...(await facts.findLeads(first.event, ids, types))])];
}

const isRepeated = ({ fact }: NamedDate): boolean => isPublishedAgain(fact) && fact.data.says !== undefined;

/**
 * Notices after which people no longer believe what an announcement said, also if it becomes true again: the service that
 * reports an event may even publish a cancelled one.
 */
const REVISIONS = ALL_TRIGGERS.filter((trigger) => ruleOf(trigger).recipients === 'registered');
const ANNOUNCING: readonly Trigger[] = ['event.published', ...REVISIONS];

/** Loads the other messages, for corrections and for events that are published again. Reads nothing for the rest. */
export async function loadEarlier(
  deps: NotificationStores,
  rows: Group<Delivery>,
  dates: readonly NamedDate[],
): Promise<Earlier> {
  const [first] = rows;
  if (!isCorrection(first.trigger) && !dates.some(isRepeated)) return { messages: [], facts: new Map() };
  const event_ids = await loadAnnouncedIds(deps, dates, ANNOUNCING);
  const user_ids = rows.map((row) => row.user_id);
  const people = { ...scopeOf(first), event_ids, channel: first.channel, user_ids };
  const messages = await deps.deliveries.findOthers(people, first.fact_id);
  const announcing = messages.filter(({ trigger }) => ANNOUNCING.includes(trigger));
  const fact_ids = [...new Set(announcing.map(({ fact_id }) => fact_id))];
  return { messages, facts: byId(fact_ids.length > 0 ? await deps.facts.findMany(fact_ids) : []) };
}

/** Whether a message reached its reader, or may have: one that is sent again may have arrived the first time. */
const hasReached = ({ status, repeated }: EarlierMessage): boolean =>
  repeated || REACHED_STATUSES.some((one) => one === status);

/** Whether a message reached its reader after that moment, or may have; one in flight is not settled yet. */
export const hasReachedSince = (message: EarlierMessage, since: Date): boolean =>
  hasReached(message) && (message.settled_at === null || message.settled_at >= since);

/**
 * Loads who was notified before, for rows of one fact and channel. An event that is unpublished and published again notifies
 * no one twice of the same date and place, except those who were notified meanwhile that it is being revised, postponed or
 * changed. A correction goes only to people whom an announcement reached. Reads nothing for the first announcement.
 */
export async function loadNotifiedBefore(
  deps: NotificationStores,
  rows: Group<Delivery>,
  dates: readonly NamedDate[],
  earlier: Earlier,
): Promise<NotifiedBefore> {
  if (isCorrection(rows[0].trigger)) return notifiedBeforeCorrection(rows, dates, earlier);
  const { facts, messages } = earlier;
  const notified = new Map<string, ReadonlySet<string>>();
  const inFlight = new Set<string>();
  for (const date of dates.filter(isRepeated)) {
    const { event, fact } = date;
    const about = announcementsOf(earlier, fact, REVISIONS);
    const valid = validOf(about);
    const last = [...valid.values()].flatMap((announcements) => announcements.at(-1) ?? []);
    const same = last.filter((one) => saysOf(ofDate(facts.get(one.fact_id), event.id)) === saysOf(fact));
    // Whether a notice in flight is sent decides whether this message means something.
    const awaited = [...same, ...about.filter(outdates)].filter(isOpen);
    for (const { user_id } of awaited) inFlight.add(user_id);
    const reached = same.filter((one) => !isOpen(one));
    const asAnnounced = reached.map(({ user_id, fact_id }) => ({ user_id, fact: facts.get(fact_id) }));
    // Registered people outside of the audience who got no notice of the revision need no notice of its end.
    const outside = 'after_unpublishing' in fact.data ? rows.filter((row) => row.registration_ids.length > 0) : [];
    const unaware = outside.flatMap(({ user_id }) => (valid.has(user_id) ? [] : [user_id]));
    const before = unaware.length > 0 ? await findPublicationBefore(deps, date) : undefined;
    const asBefore = saysOf(before) === saysOf(fact) ? unaware.map((user_id) => ({ user_id, fact: before })) : [];
    notified.set(event.id, await loadUnreachedSince(deps, event, messages, [...asAnnounced, ...asBefore]));
  }
  return { notified, inFlight, neverNotified: NO_PEOPLE };
}

/** The announcements of a date that reached their readers or are in flight, and the notices that outdate them, in order. */
function announcementsOf({ messages, facts }: Earlier, { id, event_id }: Fact, outdatedBy: readonly Trigger[]) {
  return messages.filter(
    (one) =>
      (one.trigger === 'event.published' || outdatedBy.includes(one.trigger)) &&
      hasReached(one) &&
      // Newer ones in flight wait for this message.
      (!isOpen(one) || one.fact_id < id) &&
      names(facts.get(one.fact_id), event_id),
  );
}

const outdates = ({ trigger }: EarlierMessage): boolean => trigger !== 'event.published';

/** By person, the announcements since the last notice that outdated them. */
function validOf(all: readonly EarlierMessage[]): Map<string, EarlierMessage[]> {
  const valid = new Map<string, EarlierMessage[]>();
  for (const one of all) valid.set(one.user_id, outdates(one) ? [] : [...(valid.get(one.user_id) ?? []), one]);
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
function notifiedBeforeCorrection(
  rows: readonly Delivery[],
  dates: readonly NamedDate[],
  earlier: Earlier,
): NotifiedBefore {
  const user_ids = new Set(rows.flatMap((row) => (row.registration_ids.length === 0 ? row.user_id : [])));
  const announced = dates.flatMap(({ fact }) => {
    const about = announcementsOf(earlier, fact, ['event.unpublished']).filter((one) => user_ids.has(one.user_id));
    return [...validOf(about).values()].flat();
  });
  const notified = new Set(announced.filter((one) => !isOpen(one)).map((one) => one.user_id));
  const inFlight = new Set(announced.map((one) => one.user_id).filter((user_id) => !notified.has(user_id)));
  const neverNotified = new Set([...user_ids].filter((user_id) => !notified.has(user_id) && !inFlight.has(user_id)));
  return { notified: NO_EVENTS, inFlight, neverNotified };
}

/** More edits than anyone makes between two publications. */
const CHANGES = 100;

/**
 * Loads which of these people no other message on this channel has reached since the event was first changed after their
 * announcement. A message states the date and place of the moment in which it is sent, so the others may know another one.
 * @param notified people with the announcement that notified them last
 */
async function loadUnreachedSince(
  { facts }: NotificationStores,
  event: SchoolEvent,
  messages: readonly EarlierMessage[],
  notified: readonly { user_id: string; fact: Fact | undefined }[],
): Promise<ReadonlySet<string>> {
  if (notified.length === 0) return NO_PEOPLE;
  const changes = await facts.listOfEvent(event, event.id, { types: ['event.changed'], limit: CHANGES });
  const byPerson = mapBy(messages, ({ user_id }) => [user_id]);
  const unreached = notified.filter(({ user_id, fact }) => {
    const first = fact && changes.findLast(({ occurred_at }) => occurred_at > fact.occurred_at);
    return !first || !byPerson.get(user_id)?.some((one) => hasReachedSince(one, first.occurred_at));
  });
  return new Set(unreached.map(({ user_id }) => user_id));
}
