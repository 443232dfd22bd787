import { groupBy } from '../../core/group-by.ts';
import type { Scope } from '../../people/caller.ts';
import type { Outgoing } from '../content/message.ts';
import type { Delivery } from '../delivery.ts';
import { loadNotifiedBefore } from '../fan-out/already-notified.ts';
import { addressees, type Now, reasonToStop } from '../policy/gate.ts';
import type { DeliveryResult } from '../ports.ts';
import { type About, type ComposeDeps, outgoingOf } from './compose.ts';
import type { DeliverDeps } from './deliver.ts';
import { loadLostVisibility } from './lost-visibility.ts';
import type { Outcome } from './outcome.ts';

/** Preferences and suppressed addresses: loaded once for a job. */
export type Consent = Pick<Now, 'wishes' | 'suppressed' | 'stopped'>;

export type EvaluateDeps = ComposeDeps &
  Pick<DeliverDeps, 'clock' | 'contacts'> & {
    facts: Pick<DeliverDeps['facts'], 'find' | 'findMany'>;
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
export async function evaluate(deps: EvaluateDeps, rows: readonly Delivery[], consent: Consent): Promise<Decision[]> {
  const decisions: Decision[] = [];
  const [one] = rows;
  if (!one) return [];
  const { events, facts, school, registrations } = await load(deps, one, rows);
  for (const group of groupBy(rows, factIdOf)) {
    const [first] = group;
    if (!first) continue;
    const event = events.get(first.event_id) ?? null;
    const fact = facts.get(first.fact_id) ?? null;
    const lostVisibility = event && fact ? await loadLostVisibility(deps, group, { event, fact }) : undefined;
    const { notified, inFlight, neverNotified } = await loadNotifiedBefore(deps, group, fact);
    const older = new Set([...(await loadBehindOlder(deps, group)), ...inFlight]);
    const about = { event, fact, school };
    const at = deps.clock.now();
    const state = { event, fact, registrations: [], ...consent, notified, at };
    const registered: Now = lostVisibility ? { ...state, lostVisibility } : state;
    const unregistered: Now = { ...registered, neverNotified };
    for (const row of group) {
      const own = row.registration_ids.flatMap((id) => registrations.get(id) ?? []);
      const now = row.registration_ids.length === 0 ? unregistered : { ...registered, registrations: own };
      decisions.push(decisionOf(deps, row, about, now, older));
    }
  }
  return decisions;
}

async function load(deps: EvaluateDeps, scope: Scope, rows: readonly Delivery[]) {
  const distinct = (ids: readonly string[]) => [...new Set(ids)];
  const registration_ids = rows.flatMap(registrationIdsOf);
  const [events, facts, school, registrations] = await Promise.all([
    deps.events.findMany(distinct(rows.map(eventIdOf))),
    deps.facts.findMany(distinct(rows.map(factIdOf))),
    deps.schools.find(scope),
    registration_ids.length > 0 ? deps.registrations.findStatuses(scope, registration_ids) : [],
  ]);
  return { events: byId(events), facts: byId(facts), school, registrations: byId(registrations) };
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
  { event, fact, school }: { event: Now['event']; fact: Now['fact']; school: About['school'] },
  now: Now,
  older: ReadonlySet<string>,
): Decision {
  try {
    const reason = reasonToStop(row, now);
    if (reason || !event || !fact)
      return { row, stop: { to: 'skipped', id: row.id, reason: reason ?? 'event_gone', detail: null } };
    if (older.has(row.user_id)) return { row, stop: released(row, 'an older message is in flight', BEHIND_MS) };
    return { row, message: outgoingOf(deps, row, { event, fact, school }, addressees(row, now)) };
  } catch {
    return { row, fault: { kind: 'unclassified', detail: 'not composed' } };
  }
}

/** The result that releases a row, to be leased again after `afterMs`. */
export const released = (
  { id, attempts, errors, repeated }: Delivery,
  detail: string,
  afterMs = RETRY_MS,
): DeliveryResult => ({
  to: 'waiting',
  id,
  afterMs,
  detail,
  attempts,
  errors,
  repeated,
});

async function loadBehindOlder(deps: EvaluateDeps, group: readonly Delivery[]): Promise<Set<string>> {
  const [first] = group;
  if (!first || (first.trigger !== 'event.cancelled' && first.trigger !== 'event.postponed')) return new Set();
  const user_ids = group.map((row) => row.user_id);
  const ids = group.map((row) => row.id);
  return new Set(await deps.deliveries.findInFlight(first, first.event_id, first.channel, user_ids, ids));
}
