import { byId, type Group } from '../../core/groups.ts';
import { instantsOf } from '../../events/rules/schedule.ts';
import { seriesIdOf } from '../../events/rules/series.ts';
import { knownState } from '../../events/rules/unannounced-changes.ts';
import { type Fact, factsOfDates } from '../../outbox/fact.ts';
import { loadChildren } from '../../people/audience.ts';
import { maySee } from '../../people/visibility.ts';
import { type Delivery, hasWaited } from '../delivery.ts';
import { existingDates, type MaybeDate, type NamedDate, type Now } from '../policy/gate.ts';
import { subjectIdsOf, type Ties, undoneSince } from '../policy/recipients.ts';
import { isCorrection, REVISIONS } from '../policy/trigger.ts';
import { ruleOf } from '../policy/trigger-table.ts';
import type { NotificationStores } from '../ports.ts';
import {
  loadAnnouncedIds,
  loadNotifiedBefore,
  NO_EVENTS,
  NO_PEOPLE,
  type NotifiedBefore,
  type PeopleByEvent,
  peopleOf,
} from './notified-before.ts';

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
  all: readonly MaybeDate[],
): Promise<History> {
  const dates = existingDates(all);
  const event_ids = await loadAnnouncedIds(deps, rows[0].trigger, dates, ['event.published', ...REVISIONS]);
  const lostVisibility = await loadLostVisibility(deps, rows, dates);
  const before = await loadNotifiedBefore(deps, rows, { dates, event_ids });
  const older = new Set([...(await loadBehindOlder(deps, rows, event_ids)), ...before.inFlight]);
  const informed = await loadInformed(deps, rows, dates);
  const missed = new Map([...(await loadMissedChanges(deps, rows, dates, event_ids)), ...informed]);
  return { ...before, lostVisibility, older, missed, acknowledged: await loadAcknowledged(deps, rows, dates) };
}

/**
 * Prepares what the gate is asked about the dates of a message.
 * @param shared the same for all dates and readers
 * @returns the dates as the reader of one message knows them
 */
export function statesOf(
  dates: readonly MaybeDate[],
  history: History,
  shared: Pick<Now, 'wishes' | 'suppressed' | 'stopped' | 'at' | keyof Ties>,
): (row: Delivery, registrations: Now['registrations']) => Now[] {
  const states = dates.map((date) => {
    const ofDate = (people: PeopleByEvent) => (date.event && people.get(date.event.id)) ?? NO_PEOPLE;
    const own = { lostVisibility: ofDate(history.lostVisibility), notified: ofDate(history.notified) };
    return asKnown({ ...date, ...history, ...own, ...shared, registrations: [] });
  });
  return ({ user_id }, registrations) =>
    states.map((state) => {
      const first = history.missed.get(personAndEvent(user_id, state.event?.id));
      return { ...(first ? asKnown(state, first) : state), registrations };
    });
}

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

/** For how long the check of the fan-out is valid: an outage may hold up a message for hours. */
const CHECKED_MS = 5 * 60_000;

/**
 * Loads the people of an audience who may no longer see the dates of a message. Reads the directory only for corrections, for
 * messages that waited or were drafted more than `CHECKED_MS` ago, and for events that have changed since.
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
  const checkedSince = new Date(deps.clock.now().getTime() - CHECKED_MS);
  const isLate = (row: Delivery) => hasWaited(row) || row.created_at < checkedSince;
  const isLater = recipients === 'registered' || rows.some(isLate);
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

/** The key of a missed change: a person, and the event that changed. */
const personAndEvent = (user_id: string, event_id = ''): string => `${user_id} ${event_id}`;

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
 * Loads the people whom another message has reached since the edit that a cancellation replaces: they know the present date and
 * place, as if the event had been moved from there.
 */
async function loadInformed(
  { deliveries }: NotificationStores,
  rows: Group<Delivery>,
  dates: readonly NamedDate[],
): Promise<ReadonlyMap<string, Fact>> {
  const informed = new Map<string, Fact>();
  for (const { event, fact } of dates) {
    if (fact.type !== 'event.cancelled' || !fact.data.changed_at) continue;
    const { schedule: previous, where: previous_place } = knownState(event);
    const present = { ...fact, id: 'present', data: { ...fact.data, previous, previous_place } };
    const reached = await deliveries.findReachedSince(peopleOf(rows, [event.id]), fact.data.changed_at, fact.id);
    for (const user_id of reached) informed.set(personAndEvent(user_id, event.id), present);
  }
  return informed;
}

/**
 * The date as a reader knows it. A reader who missed some changes reads the date and place before the first of them; the fact
 * then gets another id, so that its content is not shared with other readers. A cancellation names the date and place before a
 * change of which no one was notified.
 */
function asKnown(state: Now, first = state.fact): Now {
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
