import { groupBy } from '../../core/groups.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { heldMs } from '../../events/held/held-change.ts';
import { type Fact, factsOfDates } from '../../outbox/fact.ts';
import type { Scope } from '../../people/caller.ts';
import type { Outgoing } from '../content/message.ts';
import type { Delivery } from '../delivery.ts';
import { loadAnnouncedIds, loadNotifiedBefore, type NotifiedBefore } from '../fan-out/already-notified.ts';
import { loadOtherDates } from '../load-other-dates.ts';
import { addressees, type Now } from '../policy/gate.ts';
import { gateOfDates, type NamedDate } from '../policy/named-dates.ts';
import { consentingIds } from '../policy/readers.ts';
import { waits } from '../policy/retry.ts';
import type { DeliveryResult } from '../ports.ts';
import { type About, type ComposeDeps, outgoingOf } from './compose.ts';
import type { DeliverDeps } from './deliver.ts';
import { type LostVisibility, loadLostVisibility } from './lost-visibility.ts';
import type { Outcome } from './outcome.ts';

/** Preferences and suppressed addresses. */
export type Consent = Pick<Now, 'wishes' | 'suppressed' | 'stopped'>;

export type EvaluateDeps = ComposeDeps &
  Pick<DeliverDeps, 'clock' | 'contacts'> & {
    facts: Pick<DeliverDeps['facts'], 'find' | 'findMany' | 'findLeads'>;
    events: Pick<DeliverDeps['events'], 'findMany'>;
    schools: Pick<DeliverDeps['schools'], 'find'>;
    registrations: Pick<DeliverDeps['registrations'], 'findStatuses'>;
    deliveries: Pick<DeliverDeps['deliveries'], 'findOtherAnnouncements' | 'findInFlight'>;
  };

/** How long a released row waits. */
const RETRY_MS = 2_000;
/** How long a cancellation waits for an older message to the same person that is in flight. */
const BEHIND_MS = 500;

/** The gate's decision: a result instead of sending, the message to send, or the fault that prevented both. */
export type Decision = { row: Delivery; stop?: DeliveryResult; message?: Outgoing; fault?: Outcome };

/**
 * Applies the gate to leased rows of one school and composes the messages that pass. Reads after the lease: a cancellation
 * that commits later finds the lease and waits, so no older message arrives after it.
 */
export async function evaluate(
  deps: EvaluateDeps,
  rows: readonly Delivery[],
  loading: Consent | Promise<Consent>,
): Promise<Decision[]> {
  const decisions: Decision[] = [];
  const [one] = rows;
  if (!one) return [];
  const [consent, { events, facts, school, registrations }] = await Promise.all([loading, load(deps, one, rows)]);
  for (const group of groupBy(rows, factIdOf)) {
    const [first] = group;
    if (!first) continue;
    const fact = facts.get(first.fact_id) ?? null;
    const dates: Dates = fact ? factsOfDates(fact).map((own) => dateOf(own, events)) : [{ event: null, fact }];
    const about = await loadHistory(deps, group, dates);
    const at = deps.clock.now();
    for (const row of group) {
      const own = row.registration_ids.flatMap((id) => registrations.get(id) ?? []);
      const states = dates.map((date): Now => ({ ...stateOf(row, date, about), registrations: own, ...consent, at }));
      decisions.push(decisionOf(deps, row, states, school, about.older));
    }
  }
  return decisions;
}

/** The dates that a message names; of deleted events and facts null. */
type Dates = Pick<Now, 'event' | 'fact'>[];

const dateOf = (fact: Fact, events: ReadonlyMap<string, SchoolEvent>) => ({
  event: events.get(fact.event_id) ?? null,
  fact,
});

type History = NotifiedBefore & { lostVisibility: LostVisibility; older: ReadonlySet<string> };

/** Loads who was notified before of these dates, may no longer see them, or is about to get an older message. */
async function loadHistory(deps: EvaluateDeps, group: readonly Delivery[], dates: Dates): Promise<History> {
  const known = dates.flatMap(({ event, fact }): NamedDate[] => (event && fact ? [{ event, fact }] : []));
  const event_ids = group[0] ? await loadAnnouncedIds(deps, group[0].trigger, known) : [];
  const lostVisibility = await loadLostVisibility(deps, group, known);
  const before = await loadNotifiedBefore(deps, group, { dates: known, event_ids });
  const older = new Set([...(await loadBehindOlder(deps, group, event_ids)), ...before.inFlight]);
  return { ...before, lostVisibility, older };
}

/** Registered people get corrections in any case. */
const stateOf = (
  { registration_ids }: Delivery,
  { event, fact }: Dates[number],
  { lostVisibility, notified, neverNotified }: History,
) => ({
  event,
  fact,
  lostVisibility: (event && lostVisibility.get(event.id)) ?? NO_PEOPLE,
  notified: (event && notified.get(event.id)) ?? NO_PEOPLE,
  ...(registration_ids.length === 0 ? { neverNotified } : {}),
});

const NO_PEOPLE: ReadonlySet<string> = new Set();

/** @param rows of one school, all of them urgent or none */
export async function loadConsent(
  deps: Pick<DeliverDeps, 'preferences' | 'suppressions' | 'adapter'>,
  rows: readonly Delivery[],
): Promise<Consent> {
  const [first] = rows;
  if (!first) return { wishes: new Map(), suppressed: new Set() };
  const { channel, senders } = deps.adapter;
  const addresses = rows.flatMap((row) => row.address ?? []);
  const user_ids = rows.flatMap(consentingIds);
  const [preferences, suppressed, stopped] = await Promise.all([
    deps.preferences.findMany(first, user_ids),
    deps.suppressions.findSuppressed(first.tenant_id, channel, addresses, first),
    deps.suppressions.findStopped(senders?.[first.urgent ? 'urgent' : 'routine'] ?? [], addresses),
  ]);
  return { wishes: new Map(preferences.map((row) => [row.user_id, row.opted_out])), suppressed, stopped };
}

async function load(deps: EvaluateDeps, scope: Scope, rows: readonly Delivery[]) {
  const distinct = (ids: readonly string[]) => [...new Set(ids)];
  const registration_ids = rows.flatMap(registrationIdsOf);
  const event_ids = distinct(rows.map(eventIdOf));
  const [events, facts, school, registrations] = await Promise.all([
    deps.events.findMany(event_ids),
    deps.facts.findMany(distinct(rows.map(factIdOf))),
    deps.schools.find(scope),
    registration_ids.length > 0 ? deps.registrations.findStatuses(scope, registration_ids) : [],
  ]);
  const more = await loadOtherDates(deps.events, facts, event_ids);
  return { events: byId([...events, ...more]), facts: byId(facts), school, registrations: byId(registrations) };
}

// Defined once per module, because V8 would compile a closure again for every group.
const factIdOf = (row: Delivery) => row.fact_id;
const eventIdOf = (row: Delivery) => row.event_id;
const registrationIdsOf = (row: Delivery) => row.registration_ids;

const byId = <T extends { id: string }>(all: readonly T[]) => new Map(all.map((one) => [one.id, one]));

/** An internal error affects only its own row. */
function decisionOf(
  deps: EvaluateDeps,
  row: Delivery,
  states: readonly Now[],
  school: About['school'],
  older: ReadonlySet<string>,
): Decision {
  try {
    const waitMs = Math.max(...states.map(({ event, at }) => (event ? heldMs(event, at) : 0)));
    if (waitMs > 0) return { row, stop: released(row, 'the last change of the event can be undone', waitMs) };
    const { open, reason } = gateOfDates(row, states);
    const dates = open.flatMap(({ event, fact }): NamedDate[] => (event && fact ? [{ event, fact }] : []));
    const [first] = dates;
    const [state] = open;
    if (!first || !state)
      return { row, stop: { to: 'skipped', id: row.id, reason: reason ?? 'event_gone', detail: null } };
    if (older.has(row.user_id)) return { row, stop: released(row, 'an older message is in flight', BEHIND_MS) };
    const registrations = open.flatMap((one) => one.registrations);
    const readers = addressees(row, { ...state, registrations });
    return { row, message: outgoingOf(deps, row, { ...first, dates, school }, readers) };
  } catch {
    return { row, fault: { kind: 'unclassified', detail: 'not composed' } };
  }
}

/** The result that releases a row, to be leased again after `afterMs`. */
export const released = (row: Delivery, detail: string, afterMs = RETRY_MS): DeliveryResult =>
  waits(row, afterMs, detail);

async function loadBehindOlder(
  deps: EvaluateDeps,
  group: readonly Delivery[],
  event_ids: readonly string[],
): Promise<Set<string>> {
  const [first] = group;
  if (!first || (first.trigger !== 'event.cancelled' && first.trigger !== 'event.postponed')) return new Set();
  const user_ids = group.map((row) => row.user_id);
  const ids = group.map((row) => row.id);
  return new Set(await deps.deliveries.findInFlight(first, event_ids, first.channel, user_ids, ids));
}
