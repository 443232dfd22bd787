import type { Group } from '../../core/groups.ts';
import { instantsOf } from '../../events/rules/schedule.ts';
import { seriesIdOf } from '../../events/rules/series.ts';
import { knownState } from '../../events/rules/unannounced-changes.ts';
import { type Fact, factsOfDates } from '../../outbox/fact.ts';
import { loadChildren } from '../../people/audience.ts';
import { maySee } from '../../people/visibility.ts';
import { type Delivery, hasWaited, isSent } from '../delivery.ts';
import { existingDates, type MaybeDate, type NamedDate, type Now } from '../policy/gate.ts';
import { subjectIdsOf, type Ties, undoneSince } from '../policy/recipients.ts';
import { isCorrection } from '../policy/trigger.ts';
import { ruleOf } from '../policy/trigger-table.ts';
import type { EarlierMessage, NotificationStores } from '../ports.ts';
import {
  type Earlier,
  hasReachedSince,
  loadEarlier,
  loadNotifiedBefore,
  NO_EVENTS,
  NO_PEOPLE,
  type NotifiedBefore,
  type PeopleByEvent,
} from './notified-before.ts';

/** `older`: people with an older message in flight, which goes first; newer ones would wait for this one too. */
type History = Omit<NotifiedBefore, 'inFlight'> & {
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
  const earlier = await loadEarlier(deps, rows, dates);
  const { inFlight, ...before } = await loadNotifiedBefore(deps, rows, dates, earlier);
  return {
    ...before,
    lostVisibility: await loadLostVisibility(deps, rows, dates),
    older: new Set([...findBehindOlder(rows, earlier), ...inFlight]),
    missed: new Map([...findMissedChanges(rows, dates, earlier), ...findInformed(dates, earlier)]),
    acknowledged: await loadAcknowledged(deps, rows, dates),
  };
}

/**
 * Prepares what the gate is asked about the dates of a message.
 * @param shared the same for all dates and readers
 * @returns the dates as the reader of one message knows them
 */
export function statesOf(
  dates: readonly MaybeDate[],
  history: History,
  shared: Pick<Now, 'preferences' | 'suppressed' | 'stopped' | 'at' | keyof Ties>,
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

function findBehindOlder([{ trigger, fact_id }]: Group<Delivery>, { messages }: Earlier): string[] {
  if (trigger !== 'event.cancelled' && trigger !== 'event.postponed') return [];
  const isOlder = (one: EarlierMessage) => ['claimed', 'sending'].includes(one.status) && one.fact_id < fact_id;
  return messages.filter(isOlder).map(({ user_id }) => user_id);
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
 * Finds, by person and event, the first change of which this channel did not notify them, nor of a later one: this message
 * replaces those changes.
 */
export function findMissedChanges(
  [{ trigger }]: Group<Delivery>,
  [date]: readonly NamedDate[],
  { messages, facts }: Earlier,
): ReadonlyMap<string, Fact> {
  const missed = new Map<string, Fact>();
  // The reader of an undone change learned of it from another message, such as a confirmation.
  if (!date || !isCorrection(trigger) || undoneSince(date.fact)) return missed;
  const { occurred_at } = date.fact;
  for (const one of messages) {
    const fact = facts.get(one.fact_id);
    if (!fact || fact.occurred_at >= occurred_at) continue;
    for (const own of factsOfDates(fact)) {
      const key = personAndEvent(one.user_id, own.event_id);
      const before = missed.get(key);
      // The first change may have left the place as it was.
      if (wasMissed(one, occurred_at))
        missed.set(key, before ? ({ ...before, data: { ...own.data, ...before.data } } as Fact) : own);
      else if (wasNoticed(one)) missed.delete(key);
    }
  }
  return missed;
}

const isChange = ({ trigger }: EarlierMessage): boolean => trigger === 'event.changed' || trigger === 'event.postponed';

/** Whether its reader missed a change: a later one stops the message, or a date that it names changed again before it was sent. */
function wasMissed(message: EarlierMessage, changedAt: Date): boolean {
  const { status, reason, repeated, settled_at, other_sequences } = message;
  const isLeftOut = other_sequences !== undefined && settled_at !== null && settled_at >= changedAt;
  const isOvertaken =
    ['waiting', 'skipped'].includes(status) && [null, 'event_state', 'superseded'].includes(reason) && !repeated;
  return isChange(message) && (isLeftOut || isOvertaken);
}

const wasNoticed = (message: EarlierMessage): boolean =>
  (isChange(message) || message.trigger === 'event.published') && (message.repeated || isSent(message));

/**
 * Finds the people whom another message has reached since the edit that a cancellation replaces: they know the present date and
 * place, as if the event had been moved from there.
 */
function findInformed(dates: readonly NamedDate[], { messages }: Earlier): ReadonlyMap<string, Fact> {
  const informed = new Map<string, Fact>();
  for (const { event, fact } of dates) {
    const since = fact.type === 'event.cancelled' ? fact.data.changed_at : undefined;
    if (!since) continue;
    const { schedule: previous, where: previous_place } = knownState(event);
    const present = { ...fact, id: 'present', data: { ...fact.data, previous, previous_place } } as Fact;
    for (const one of messages)
      if (one.event_id === event.id && hasReachedSince(one, since))
        informed.set(personAndEvent(one.user_id, event.id), present);
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
