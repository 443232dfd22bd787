import { byId, type Group } from '../../core/groups.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { seriesIdOf, seriesOf } from '../../events/rules/series.ts';
import { type Fact, type FactType, factsOfDates } from '../../outbox/fact.ts';
import { loadChildren } from '../../people/audience.ts';
import { maySee } from '../../people/visibility.ts';
import { type Delivery, hasWaited } from '../delivery.ts';
import type { NamedDate } from '../policy/gate.ts';
import { subjectIdsOf } from '../policy/recipients.ts';
import { isPublishedAgain, REVISIONS } from '../policy/trigger.ts';
import { ruleOf, type Trigger } from '../policy/trigger-table.ts';
import type { OtherAnnouncement } from '../ports.ts';
import type { NotificationStores } from '../stores.ts';
import { loadMissedChanges, peopleOf } from './missed-changes.ts';
import { loadUnreachedSince } from './unreached.ts';

/** Ids of people by event. */
type PeopleByEvent = ReadonlyMap<string, ReadonlySet<string>>;

/** `older`: people with an older message in flight, which goes first; newer ones would wait for this one too. */
type History = NotifiedBefore & {
  /** people of the audience who may no longer see an event */
  lostVisibility: PeopleByEvent;
  older: ReadonlySet<string>;
  /** by person and event, the first change that this message replaces and of which they were not notified */
  missed: ReadonlyMap<string, Fact>;
  /** people who have confirmed having read it */
  acknowledged: ReadonlySet<string>;
};

/** Loads who was notified before of these dates, may no longer see them, or is about to get an older message. */
export async function loadHistory(
  deps: NotificationStores,
  rows: Group<Delivery>,
  all: readonly { event: SchoolEvent | null; fact: Fact }[],
): Promise<History> {
  const dates = all.flatMap(({ event, fact }): NamedDate[] => (event ? [{ event, fact }] : []));
  const event_ids = await loadAnnouncedIds(deps, rows[0].trigger, dates, ['event.published', ...REVISIONS]);
  const lostVisibility = await loadLostVisibility(deps, rows, dates);
  const before = await loadNotifiedBefore(deps, rows, { dates, event_ids });
  const older = new Set([...(await loadBehindOlder(deps, rows, event_ids)), ...before.inFlight]);
  const missed = await loadMissedChanges(deps, rows, dates, event_ids);
  return { ...before, lostVisibility, older, missed, acknowledged: await loadAcknowledged(deps, rows, dates) };
}

/** The part of the history that the gate needs to decide about one date. */
export const historyOf = (
  event: SchoolEvent | null,
  { lostVisibility, notified, neverNotified, acknowledged }: History,
) => ({
  acknowledged,
  lostVisibility: (event && lostVisibility.get(event.id)) ?? NO_PEOPLE,
  notified: (event && notified.get(event.id)) ?? NO_PEOPLE,
  neverNotified,
});

/** Reads nothing for messages that also go to people who have confirmed. */
async function loadAcknowledged(
  { acknowledgements }: NotificationStores,
  rows: Group<Delivery>,
  dates: readonly NamedDate[],
): Promise<ReadonlySet<string>> {
  const [first] = rows;
  if (ruleOf(first.trigger).recipients !== 'unacknowledged') return NO_PEOPLE;
  const ids = dates.map(({ event }) => seriesIdOf(event));
  const found = await acknowledgements.find(first, ids, subjectIdsOf(rows));
  return new Set(found.map(({ user_id }) => user_id));
}

async function loadBehindOlder(
  { deliveries }: NotificationStores,
  rows: Group<Delivery>,
  event_ids: readonly string[],
): Promise<string[]> {
  const [first] = rows;
  if (first.trigger !== 'event.cancelled' && first.trigger !== 'event.postponed') return [];
  return deliveries.findInFlight(peopleOf(rows, event_ids), first.fact_id);
}

/** Ids of people, by what earlier announcements of the dates did for them. */
type NotifiedBefore = {
  /** by event: an announcement with the same date and place reached them */
  notified: PeopleByEvent;
  /** an announcement is on its way to them: the message waits for its result */
  inFlight: ReadonlySet<string>;
  /** no announcement reached them: a correction means nothing to them */
  neverNotified: ReadonlySet<string>;
};

/**
 * The ids of these dates, and of the lead occurrences whose messages for facts of these types named them. Reads nothing for
 * events outside of a series and for first announcements.
 */
export async function loadAnnouncedIds(
  { facts }: NotificationStores,
  trigger: Trigger,
  dates: readonly NamedDate[],
  types: readonly FactType[],
): Promise<string[]> {
  const ids = dates.map(({ event }) => event.id);
  const [first] = dates;
  const isAboutEarlier = ruleOf(trigger).recipients === 'registered' || dates.some(isRepeated);
  if (!first || !isAboutEarlier || dates.every(({ event }) => seriesOf(event) === null)) return ids;
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
    const asBefore =
      before && saysOf(before) === saysOf(fact) ? unaware.map((user_id) => ({ user_id, fact: before })) : [];
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

export const NO_PEOPLE: ReadonlySet<string> = new Set();
const NO_EVENTS: PeopleByEvent = new Map();
const NONE: NotifiedBefore = { notified: NO_EVENTS, inFlight: NO_PEOPLE, neverNotified: NO_PEOPLE };

/**
 * Loads the people of an audience who may no longer see the dates of a message. Reads the directory only for corrections, for
 * messages that have waited and for events that have changed since; otherwise the check of the fan-out is still valid.
 */
export async function loadLostVisibility(
  deps: NotificationStores,
  all: readonly Delivery[],
  dates: readonly NamedDate[],
): Promise<PeopleByEvent> {
  // Registered people stay recipients of messages about their event, even if they may not see it.
  const rows = all.filter((row) => row.registration_ids.length === 0);
  const [first] = rows;
  if (!first) return NO_EVENTS;
  const { recipients } = ruleOf(first.trigger);
  if (!['audience', 'registered', 'unacknowledged'].includes(recipients)) return NO_EVENTS;
  const isLater = recipients === 'registered' || rows.some(hasWaited);
  const changed = dates.filter(({ event, fact }) => isLater || event.updated_at > fact.occurred_at);
  const [date] = changed;
  if (!date) return NO_EVENTS;
  const user_ids = subjectIdsOf(rows);
  const contacts = await deps.contacts.findMany(date.event, user_ids);
  const children = await loadChildren(deps, date.event, contacts);
  const viewers = contacts.map((one) => ({ ...one, children: children.get(one.user_id) ?? [] }));
  return new Map(
    changed.map(({ event }) => {
      const visibleTo = new Set(viewers.filter((one) => maySee(one, event)).map(({ user_id }) => user_id));
      return [event.id, new Set(user_ids.filter((user_id) => !visibleTo.has(user_id)))];
    }),
  );
}
