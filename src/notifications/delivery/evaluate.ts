import { byId, groupBy } from '../../core/groups.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { heldMs } from '../../events/held-change.ts';
import { type Fact, factsOfDates } from '../../outbox/fact.ts';
import type { Scope } from '../../people/caller.ts';
import type { Preferences } from '../../people/preferences.ts';
import type { School } from '../../people/school.ts';
import type { RegistrationState } from '../../registrations/registration.ts';
import type { Content, Outgoing } from '../content/message.ts';
import type { Delivery, Reason } from '../delivery.ts';
import type { Outcome } from '../outcome.ts';
import { deferralOf, quietsOf } from '../policy/deferral.ts';
import { deferredTo } from '../policy/draft-deliveries.ts';
import { addressees, gateOfDates, type NamedDate, type Now } from '../policy/gate.ts';
import { readersOf, subjectsOf, type Ties } from '../policy/recipients.ts';
import { type DeliveryResult, resultOfStop, waits } from '../policy/retry.ts';
import type { NotificationStores } from '../ports.ts';
import { type ComposeDeps, outgoingOf } from './compose.ts';
import type { DeliverDeps } from './deliver.ts';
import { loadHistory, statesOf } from './history.ts';
import { type Attending, loadAttending, loadBlocked, loadReaders, loadRegisteredAgain } from './readers.ts';
import { RETRY_MS, releaseLeased } from './record.ts';

/** The needs of every process that sends messages. */
export type SendDeps = ComposeDeps &
  NotificationStores & {
    /** The version of the text that this program uses: the pinned one if it knows it, else its own. */
    textVersion(text: Pick<Content, 'trigger' | 'locale' | 'tenant_id' | 'texts'>): string;
    /** Loads the versions of texts that these rows were drafted with, if this program has others. */
    readyTexts(rows: readonly Delivery[]): Promise<void>;
    leaseMs: number;
    /** One named event per recorded result; never an address or a text. */
    report(result: DeliveryResult, delivery: Delivery): void;
  };

/** How long a cancellation waits for an older message to the same person that is in flight. */
const BEHIND_MS = 500;

/** The gate's decision: a result instead of sending, the message to send, or the fault that prevented both. */
export type Decision = { row: Delivery; stop?: DeliveryResult; outgoing?: Outgoing; fault?: Outcome };

/** The facts and the school of a job’s rows. A job reads them once, since facts never change. */
export type Known = { facts: ReadonlyMap<string, Fact>; school: School };

/** The current events, registrations, preferences, people and suppressed addresses, which the gate reads after the lease. */
type Present = {
  events: ReadonlyMap<string, SchoolEvent>;
  registrations: ReadonlyMap<string, RegistrationState>;
  consent: Pick<Now, 'wishes' | 'suppressed' | 'stopped' | keyof Ties>;
};

/** @param rows of one school */
export async function loadKnown(
  { facts, schools }: NotificationStores,
  scope: Scope,
  rows: readonly Delivery[],
): Promise<Known> {
  const ids = [...new Set(rows.map((row) => row.fact_id))];
  const [found, school] = await Promise.all([facts.findMany(ids), schools.find(scope)]);
  return { facts: byId(found), school };
}

/**
 * Asks the gate and renders, for leased rows of one school. It reads after the lease for three reasons: a cancellation that
 * commits later finds the lease and waits, so no older message arrives after it; a person who has opted out by then gets
 * nothing; and a backup that is restored later lacks the lease, so nothing is marked as sending. If the database fails,
 * releases the rows, so that no one waits for their leases to run out.
 */
export async function evaluateLeased(
  deps: DeliverDeps,
  { known, claim }: { known: Known; claim: string },
  rows: readonly Delivery[],
): Promise<Decision[]> {
  try {
    return await loadAndEvaluate(deps, known, rows);
  } catch (error) {
    await releaseLeased(deps, rows, claim, 'the gate could not read the database');
    throw error;
  }
}

/** Reads the current state after the lease and applies the gate; rows with an internal error are evaluated one by one. */
async function loadAndEvaluate(deps: DeliverDeps, known: Known, rows: readonly Delivery[]): Promise<Decision[]> {
  const [first] = rows;
  if (!first) return [];
  try {
    const [isUnchanged, present, { quietHours, ...readers }, blocked] = await Promise.all([
      deps.isUnchanged(),
      loadPresent(deps, known, rows),
      loadReaders(deps, first, rows),
      loadBlocked(deps, first, rows, deps.adapter.senders),
      deps.readyTexts(rows),
    ]);
    if (!isUnchanged) return rows.map((row) => ({ row, stop: waits(row, RETRY_MS, 'restore guard') }));
    const decisions = await evaluate(deps, rows, { ...known, ...present, consent: { ...readers, ...blocked } });
    return decisions.map((one) => deferLate(one, known, present.events, quietHours, deps.clock.now()));
  } catch (error) {
    // Errors of servers and connections have other types, and concern every row.
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    if (rows.length === 1)
      return rows.map((row) => ({ row, fault: { kind: 'unclassified', detail: 'not evaluated' } }));
    return (await Promise.all(rows.map((row) => loadAndEvaluate(deps, known, [row])))).flat();
  }
}

/**
 * Defers a message in the quiet hours of any of its readers: one that is late, e.g. after an outage, or merged. One that may have
 * arrived is sent, and so is a composed digest, whose parts stay together. A further night does not lengthen the day of retries.
 */
function deferLate(
  decision: Decision,
  { facts, school }: Known,
  events: Present['events'],
  quietHours: ReadonlyMap<string, Preferences['quiet_hours']>,
  now: Date,
): Decision {
  const { row, outgoing } = decision;
  const [fact, event] = [facts.get(row.fact_id), events.get(row.event_id)];
  if (!outgoing || !fact || !event || row.repeated || row.digest_id !== null) return decision;
  const user_ids = row.given_by === null ? readersOf(row).map(({ user_id }) => user_id) : row.address_owners;
  const people = user_ids.map((user_id) => ({ user_id, timezone: row.timezone }));
  const quiets = quietsOf(people, (id) => quietHours.get(id), school);
  const deferral = deferralOf({ ...row, fact, event }, quiets, now);
  if (!deferral) return decision;
  const isFurtherNight = row.held_until !== null && deferral.cause === 'quiet_hours';
  const held = isFurtherNight ? {} : { deferral: deferredTo(deferral, row) };
  return { row, stop: waits(row, deferral.until.getTime() - now.getTime(), 'quiet hours', held) };
}

/** Loads the events that the messages of these rows name, and the registrations that they are about. */
export async function loadPresent(
  deps: NotificationStores,
  { facts, school }: Known,
  rows: readonly Delivery[],
): Promise<Pick<Present, 'events' | 'registrations'>> {
  const event_ids = new Set(rows.flatMap((row) => namedBy(facts, row)).map((fact) => fact.event_id));
  const ids = rows.flatMap((row) => row.registration_ids);
  const [events, registrations] = await Promise.all([
    deps.events.findMany([...event_ids]),
    ids.length > 0 ? deps.registrations.findStatuses(school, ids) : [],
  ]);
  return { events: byId(events), registrations: byId(registrations) };
}

/** Applies the gate to rows of one school and composes the messages that pass. */
export async function evaluate(
  deps: SendDeps,
  rows: readonly Delivery[],
  { facts, school, events, registrations, consent }: Known & Present,
): Promise<Decision[]> {
  const decisions: Decision[] = [];
  for (const ofFact of groupBy(rows, (row) => row.fact_id)) {
    // The event is null if it was deleted.
    const dates = namedBy(facts, ofFact[0]).map((fact) => ({ fact, event: events.get(fact.event_id) ?? null }));
    const history = await loadHistory(deps, ofFact, dates);
    const attending = await loadAttending(deps, ofFact, dates);
    const again = await loadRegisteredAgain(deps, dates);
    const statesFor = statesOf(dates, history, { ...consent, at: deps.clock.now() });
    for (const row of ofFact) {
      const own = [...row.registration_ids.flatMap((id) => registrations.get(id) ?? []), ...again];
      decisions.push(decisionOf(deps, row, statesFor(row, own), school, { ...history, attending }));
    }
  }
  return decisions;
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
    const dates = open.flatMap(({ event, fact }): NamedDate[] => (event && fact ? [{ event, fact }] : []));
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
    return { row, fault: { kind: 'unclassified', detail: 'not composed' } };
  }
}

const namedBy = (facts: Known['facts'], { fact_id }: Delivery): Fact[] => {
  const fact = facts.get(fact_id);
  return fact ? factsOfDates(fact) : [];
};
