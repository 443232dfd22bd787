import { byId, type Group, groupBy } from '../../core/groups.ts';
import { heldMs } from '../../events/held-change.ts';
import { factsOfDates } from '../../outbox/fact.ts';
import type { PreferencesByPerson } from '../../people/preferences.ts';
import type { School } from '../../people/school.ts';
import type { RegistrationState } from '../../registrations/registration.ts';
import type { Content, Outgoing } from '../content/message.ts';
import type { Delivery, Reason } from '../delivery.ts';
import { deferralOf, quietsOf } from '../policy/deferral.ts';
import { deferredTo } from '../policy/draft-deliveries.ts';
import { addressees, datesOf, existingDates, gateOfDates, type MaybeDate, type Now } from '../policy/gate.ts';
import { readersOf, subjectsOf, type Ties } from '../policy/recipients.ts';
import { type DeliveryResult, RELEASED_MS, resultOf, resultOfStop, waits } from '../policy/retry.ts';
import type { NotificationStores } from '../ports.ts';
import type { ProviderDeps } from './capacity.ts';
import { type ComposeDeps, outgoingOf } from './compose.ts';
import { loadHistory, statesOf } from './history.ts';
import {
  type Attending,
  loadAttending,
  loadBlocked,
  loadReaders,
  loadRegisteredAgain,
  loadRegistrations,
} from './readers.ts';

/** The needs of every process that sends messages. */
export type SendDeps = ComposeDeps &
  NotificationStores & {
    /** The version of the text that this program uses: the pinned one if it knows it, else its own. */
    textVersion(text: Pick<Content, 'trigger' | 'locale' | 'tenant_id' | 'texts'>): string;
    /** Loads the versions of texts that these rows were drafted with, if this program has others. */
    readyTexts(rows: readonly Delivery[]): Promise<void>;
    leaseMs: number;
    /** in [0, 1): the jitter of waits */
    random(): number;
    /** One named event per recorded result; never an address or a text. */
    report(result: DeliveryResult, delivery: Delivery): void;
  };

/** The needs of the gate of one channel; `adapter`: missing for the inbox. */
export type GateDeps = SendDeps &
  Partial<Pick<ProviderDeps, 'adapter'>> & {
    /** Reads whether the database is the one that this process started with; false after a backup was restored. */
    isUnchanged(): Promise<boolean>;
  };

/** How long a cancellation waits for an older message to the same person that is in flight. */
const BEHIND_MS = 500;

/** The gate's decision: a result instead of sending, or the message to send. */
export type Decision = { row: Delivery } & (
  | { stop: DeliveryResult; outgoing?: undefined }
  | { stop?: undefined; outgoing: Outgoing }
);

/** Messages of one fact, and the dates that it names; no dates if the fact is gone. */
export type FactMessages = { rows: Group<Delivery>; dates: readonly MaybeDate[]; school: School };

/** The registrations, preferences, people and suppressed addresses of messages. */
type State = Pick<Now, 'preferences' | 'suppressed' | 'stopped' | keyof Ties> & {
  registrations: ReadonlyMap<string, RegistrationState>;
};

/**
 * Asks the gate and renders, for leased rows of one school and urgency. It reads after the lease for three reasons: a
 * cancellation that commits later finds the lease and waits, so no older message arrives after it; a person who has opted out
 * by then gets nothing; and a backup that is restored later lacks the lease, so nothing is marked as sending. Rows with an
 * internal error are evaluated one by one.
 */
export async function evaluateLeased(deps: GateDeps, rows: Group<Delivery>): Promise<Decision[]> {
  const [first] = rows;
  try {
    const [isUnchanged, byFact, registrations, readers, blocked] = await Promise.all([
      deps.isUnchanged(),
      loadByFact(deps, rows),
      loadRegistrations(deps, first, rows),
      loadReaders(deps, first, rows),
      loadBlocked(deps, first, rows, deps.adapter?.senders),
      deps.readyTexts(rows),
    ]);
    if (!isUnchanged) return rows.map((row) => ({ row, stop: waits(row, RELEASED_MS, 'restore guard') }));
    const decisions: Decision[] = [];
    for (const messages of byFact) {
      const ofFact = await evaluate(deps, messages, { registrations, ...readers, ...blocked });
      const now = deps.clock.now();
      decisions.push(...ofFact.map((one) => deferLate(one, messages, readers.preferences, now)));
    }
    return decisions;
  } catch (error) {
    // Errors of servers and connections have other types, and concern every row.
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    if (rows.length === 1) return rows.map((row) => ({ row, stop: resultOfFault(deps, row, 'not evaluated') }));
    return (await Promise.all(rows.map((row) => evaluateLeased(deps, [row])))).flat();
  }
}

/**
 * Defers a message in the quiet hours of any of its readers: one that is late, e.g. after an outage, or merged. One that may have
 * arrived is sent, and so is a composed digest, whose parts stay together. A further night does not lengthen the day of retries.
 */
function deferLate(
  decision: Decision,
  { dates: [date], school }: FactMessages,
  preferences: PreferencesByPerson,
  now: Date,
): Decision {
  const { row, outgoing } = decision;
  if (!outgoing || !date?.event || row.repeated || row.digest_id !== null) return decision;
  const user_ids = row.given_by === null ? readersOf(row).map(({ user_id }) => user_id) : row.address_owners;
  const people = user_ids.map((user_id) => ({ user_id, timezone: row.timezone }));
  const quiets = quietsOf(people, preferences, school);
  const deferral = deferralOf({ ...row, fact: date.fact, event: date.event }, quiets, now);
  if (!deferral) return decision;
  const isFurtherNight = row.held_until !== null && deferral.cause === 'quiet_hours';
  const held = isFurtherNight ? {} : { deferral: deferredTo(deferral, row) };
  return { row, stop: waits(row, deferral.until.getTime() - now.getTime(), 'quiet hours', held) };
}

/** Groups messages of one school by their facts, and loads the dates that these name. */
export async function loadByFact(deps: NotificationStores, rows: Group<Delivery>): Promise<FactMessages[]> {
  const [{ facts, events }, school] = await Promise.all([loadNamed(deps, rows), deps.schools.find(rows[0])]);
  return groupBy(rows, (row) => row.fact_id).map((some) => {
    const fact = facts.get(some[0].fact_id);
    return { rows: some, dates: fact ? datesOf(fact, events) : [], school };
  });
}

/** Loads the facts of messages, and the events that they name. */
export async function loadNamed(
  { facts, events }: NotificationStores,
  rows: readonly Pick<Delivery, 'fact_id' | 'event_id'>[],
) {
  const event_ids = [...new Set(rows.map((row) => row.event_id))];
  const [found, own] = await Promise.all([
    facts.findMany([...new Set(rows.map((row) => row.fact_id))]),
    events.findMany(event_ids),
  ]);
  // Only messages about a series need a second query.
  const named = found.flatMap(factsOfDates).map(({ event_id }) => event_id);
  const others = [...new Set(named)].filter((id) => !event_ids.includes(id));
  return { facts: byId(found), events: byId([...own, ...(others.length > 0 ? await events.findMany(others) : [])]) };
}

/** Applies the gate to messages of one fact and composes those that pass. */
export async function evaluate(
  deps: SendDeps,
  { rows, dates, school }: FactMessages,
  { registrations, ...consent }: State,
): Promise<Decision[]> {
  const history = await loadHistory(deps, rows, dates);
  const attending = await loadAttending(deps, rows, dates);
  const again = await loadRegisteredAgain(deps, dates);
  const statesFor = statesOf(dates, history, { ...consent, at: deps.clock.now() });
  return rows.map((row) => {
    const own = [...row.registration_ids.flatMap((id) => registrations.get(id) ?? []), ...again];
    return decisionOf(deps, row, statesFor(row, own), school, { ...history, attending });
  });
}

/** An internal error affects only its own row. @param states none if the fact no longer exists */
function decisionOf(
  deps: SendDeps,
  row: Delivery,
  states: readonly Now[],
  school: School,
  { older, attending }: { older: ReadonlySet<string>; attending: Attending },
): Decision {
  const skipped = (reason: Reason): Decision => ({ row, stop: resultOfStop(row, reason) });
  try {
    if (states.length === 0) return skipped('event_gone');
    const waitMs = Math.max(...states.map(({ event, at }) => (event ? heldMs(event, at) : 0)));
    if (waitMs > 0) return { row, stop: waits(row, waitMs, 'the last change of the event can be undone') };
    const { open, reason } = gateOfDates(row, states);
    const dates = existingDates(open);
    const [first] = dates;
    const [state] = open;
    if (!first || !state) return skipped(reason ?? 'event_gone');
    if (older.has(row.user_id)) return { row, stop: waits(row, BEHIND_MS, 'an older message is in flight') };
    const registrations = open.flatMap((one) => one.registrations);
    const readers = addressees(row, { ...state, registrations });
    const people = readers.flatMap((reader) => [reader, ...subjectsOf(reader)]);
    // With several dates, a reader may be on the waitlist of some.
    const own = dates.length > 1 ? registrations.filter(({ status }) => status === 'confirmed') : [];
    const confirmed = [...own, ...people.flatMap(({ user_id }) => attending.get(user_id) ?? [])];
    const attended = dates.map(({ event }) => event.id).filter((id) => confirmed.some((one) => one.event_id === id));
    const childAttends = confirmed.some(({ user_id }) => user_id !== row.user_id);
    const about = { ...first, dates, school, registrations, attended, childAttends };
    return { row, outgoing: outgoingOf(deps, row, about, readers) };
  } catch {
    return { row, stop: resultOfFault(deps, row, 'not composed') };
  }
}

/** The result of an internal error. */
export const resultOfFault = ({ clock, random, leaseMs }: SendDeps, row: Delivery, detail: string): DeliveryResult =>
  resultOf(row, { kind: 'unclassified', detail }, { now: clock.now(), random: random(), leaseMs });
