import type { EventStore } from '../events/ports.ts';
import type { FactStore } from '../facts/ports.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import type { ContactStore, PreferenceStore, SchoolStore } from '../people/ports.ts';
import type { RegistrationStore } from '../registrations/ports.ts';
import { type About, type ComposeDeps, outgoingOf } from './compose.ts';
import type { Delivery } from './delivery.ts';
import { addressees, type Now, reasonToStop } from './gate.ts';
import type { Outgoing } from './message.ts';
import type { Outcome } from './outcome.ts';
import { inDigest, parcelsOf, sideBySide, takeChunk } from './parcels.ts';
import type { ChannelAdapter, DeliveryStore, Settlement, SuppressionStore } from './ports.ts';
import { readersOf } from './readers.ts';
import { settlementOf } from './retry.ts';
import { toldBefore } from './told-before.ts';
import { unseenBy } from './unseen.ts';

export type DeliverDeps = ComposeDeps & {
  clock: Clock;
  facts: FactStore;
  events: EventStore;
  schools: SchoolStore;
  contacts: Pick<ContactStore, 'findMany' | 'childrenOf'>;
  preferences: PreferenceStore;
  registrations: RegistrationStore;
  deliveries: DeliveryStore;
  suppressions: SuppressionStore;
  adapter: ChannelAdapter;
  leaseMs: number;
  /** Waits until so many messages may leave, across all processes; false where the process is ending. */
  takePermits(count: number): Promise<boolean>;
  /** Waits; ends early where the process is ending. */
  pause(ms: number): Promise<void>;
  random(): number;
  /** One named event per settled message; never an address or a text. */
  report(settlement: Settlement, delivery: Delivery): void;
  /** Whether the process is ending: what is not on the wire yet is given back. */
  isStopping(): boolean;
  /** Runs suspects one after another, so that at most one is on the wire in this process. */
  oneAtATime<T>(work: () => Promise<T>): Promise<T>;
};

/** What the people wished and which addresses are barred: read once for a group of ids. */
type Consent = Pick<Now, 'wishes' | 'suppressed' | 'stopped'>;

/** How long a cancellation waits for an older message to the same person to leave the wire, and a row given back. */
const AGAIN_MS = 2_000;
/** How often it is asked whether a provider may be tried again, at the most. */
const ASKED_AGAIN_MS = 1_000;

/**
 * Claim → gate → render → provider → record, for a group of delivery ids of one channel. Comes in: ids, of which any may
 * be gone, taken or not due. Guaranteed: a row is held by one process at a time, `sending` is written before anything
 * goes on the wire, what is sent was true after that, and every later write is filtered by the claim. While no provider
 * takes messages the rows stay as they are. May repeat: a group may come any number of times; what is not waiting is left
 * alone.
 */
export async function deliver(deps: DeliverDeps, ids: readonly string[]): Promise<void> {
  if (!(await someProviderTakes(deps))) return;
  const claim = newId();
  const rows = await deps.deliveries.claim(ids, deps.adapter.channel, claim, deps.leaseMs);
  if (rows.length === 0) return;
  const mates = await matesOf(deps, rows, claim);
  const all = [...rows, ...mates];
  let begun = 0;
  for (const ofSchool of groupBy(all, (row) => `${row.tenant_id}\n${row.school_id}\n${row.urgent}`)) {
    const consent = await consentOf(deps, ofSchool);
    const calm = sideBySide(ofSchool.filter((row) => row.crashes === 0));
    for (let size = roomNow(deps); calm.length > 0 && size > 0; size = roomNow(deps)) {
      begun += await deliverChunk(deps, takeChunk(calm, size), claim, consent);
    }
    for (const suspect of ofSchool.filter((row) => row.crashes > 0)) {
      if (roomNow(deps) === 0) break;
      begun += await deps.oneAtATime(() => deliverChunk(deps, [suspect], claim, consent));
    }
  }
  // What could not be begun is given back: the process ends, or every provider is left alone for a while.
  const given = [...ids, ...mates.map((row) => row.id)];
  if (begun < all.length) await deps.deliveries.release(given, claim);
}

/** What else the same people have waited for: it goes with it in one message. */
async function matesOf({ deliveries, adapter, leaseMs }: DeliverDeps, rows: readonly Delivery[], claim: string) {
  const keys = adapter.digests ? [...new Set(rows.flatMap((row) => row.digest_key ?? []))] : [];
  if (keys.length === 0) return [];
  return deliveries.claimMates(keys, adapter.channel, new Set(rows.map((row) => row.id)), claim, leaseMs);
}

/** How many messages may be begun together now. */
function roomNow({ adapter, isStopping }: DeliverDeps): number {
  const room = isStopping() ? 0 : (adapter.room?.() ?? 'all');
  return room === 'all' ? adapter.chunk : room === 'one' ? 1 : 0;
}

/** Waits, before any row is touched, until a provider takes messages. @returns false where the process is ending */
async function someProviderTakes(deps: DeliverDeps): Promise<boolean> {
  while (!deps.isStopping()) {
    const room = deps.adapter.room?.() ?? 'all';
    if (typeof room !== 'number') return true;
    await deps.pause(Math.min(room, ASKED_AGAIN_MS));
  }
  return false;
}

/** @returns how many came to an end of some kind: all of them, or none where nothing may leave after all */
async function deliverChunk(
  deps: DeliverDeps,
  rows: readonly Delivery[],
  claim: string,
  consent: Consent,
): Promise<number> {
  if (!(await deps.takePermits(rows.length))) return 0;
  // Another process may have been told to slow down: that came with the permits.
  if (roomNow(deps) === 0) return 0;
  const ids = rows.map((row) => row.id);
  const ours = new Set(await deps.deliveries.markSending(ids, claim, deps.leaseMs));
  const sending = rows.filter((row) => ours.has(row.id));
  const judgements = await judge(deps, sending, consent).catch(async (error) => {
    // Nothing has left: give the rows back rather than let their leases run out as if something might have.
    await deps.deliveries.settle(
      sending.map((row) => later(row, 'not judged')),
      claim,
    );
    throw error;
  });
  const settlements = judgements.flatMap(({ stop }) => stop ?? []);
  await rememberHeld(deps, judgements);
  const ready = judgements.flatMap(({ row, message }) => (message ? [{ row, message }] : []));
  const parcels = parcelsOf(ready, deps.adapter.digests ?? false);
  const suspects = ready.filter(({ row }) => row.crashes > 0).map(({ row }) => row.id);
  if (suspects.length > 0) await deps.deliveries.markHandedOver(suspects, claim);
  const outcomes = await sendAll(
    deps.adapter,
    parcels.map(({ message }) => message),
  );
  const now = deps.clock.now();
  for (const [i, { row, others }] of parcels.entries()) {
    const outcome = outcomes[i] ?? { kind: 'unclassified', detail: 'no outcome' };
    await remember(deps, row, outcome);
    settlements.push(settlementOf(row, outcome, now, deps.random()));
    settlements.push(...others.map((other) => inDigest(settlementOf(other, outcome, now, deps.random()), row)));
  }
  await deps.deliveries.settle(settlements, claim);
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const settlement of settlements) {
    const row = byId.get(settlement.id);
    if (row) deps.report(settlement, row);
  }
  return rows.length;
}

/** An adapter never throws; one that does anyway has left us in doubt about all of its messages. */
async function sendAll(adapter: ChannelAdapter, messages: readonly Outgoing[]): Promise<Outcome[]> {
  if (messages.length === 0) return [];
  return adapter.send(messages).catch(() => messages.map(() => ({ kind: 'ambiguous', detail: 'the adapter threw' })));
}

type Judgement = { row: Delivery; stop?: Settlement; message?: Outgoing };

/** The gate, and the text of what passes it. Reads happen after `sending` was written: see the promise on the last word. */
async function judge(deps: DeliverDeps, rows: readonly Delivery[], consent: Consent): Promise<Judgement[]> {
  const judgements: Judgement[] = [];
  for (const group of groupBy(rows, (row) => row.fact_id)) {
    const [first] = group;
    if (!first) continue;
    const [event, fact, school, registrations] = await Promise.all([
      deps.events.findAnywhere(first.event_id),
      deps.facts.find(first.fact_id),
      deps.schools.find(first),
      registrationsOf(deps, group),
    ]);
    const unseen = event && fact ? await unseenBy(deps, group, { event, fact }) : undefined;
    const { told, being_told } = await toldBefore(deps, group, fact);
    const older = new Set([...(await behindOlder(deps, group)), ...being_told]);
    const at = deps.clock.now();
    for (const row of group) {
      const now: Now = {
        event,
        fact,
        registrations: row.registration_ids.flatMap((id) => registrations.get(id) ?? []),
        ...consent,
        ...(unseen ? { unseen } : {}),
        told,
        at,
      };
      judgements.push(judgementOf(deps, row, { event, fact, school }, now, older));
    }
  }
  return judgements;
}

/** A row that can't be judged or a text that can't be composed is a fault of ours, of this row alone. */
function judgementOf(
  deps: DeliverDeps,
  row: Delivery,
  { event, fact, school }: { event: Now['event']; fact: Now['fact']; school: About['school'] },
  now: Now,
  older: ReadonlySet<string>,
): Judgement {
  try {
    const reason = reasonToStop(row, now);
    if (reason || !event || !fact)
      return { row, stop: { to: 'skipped', id: row.id, reason: reason ?? 'event_gone', detail: null } };
    if (older.has(row.user_id)) return { row, stop: later(row, 'an older message is on the wire') };
    return { row, message: outgoingOf(deps, row, { event, fact, school }, addressees(row, now)) };
  } catch {
    return { row, stop: settlementOf(row, { kind: 'unclassified', detail: 'not composed' }, now.at, deps.random()) };
  }
}

const later = ({ id, attempts, errors, repeated }: Delivery, detail: string): Settlement => ({
  to: 'waiting',
  id,
  afterMs: AGAIN_MS,
  detail,
  attempts,
  errors,
  repeated,
});

/** What an outcome teaches beyond this one message. */
async function remember({ suppressions }: DeliverDeps, row: Delivery, outcome: Outcome): Promise<void> {
  const { address, channel } = row;
  if (address === null) return;
  if (outcome.kind === 'bad_address')
    await suppressions.add(row, channel, address, { kind: 'bounced', why: outcome.detail });
  if (outcome.kind === 'opted_out' && outcome.sender) await suppressions.stop(outcome.sender, address);
}

/** What was held back by an address is seen by the staff of its school. */
async function rememberHeld({ suppressions }: DeliverDeps, judgements: readonly Judgement[]): Promise<void> {
  const held = judgements.filter(({ stop }) => stop?.to === 'skipped' && stop.reason === 'suppressed');
  const [first] = held;
  if (!first) return;
  const addresses = held.flatMap(({ row }) => row.address ?? []);
  await suppressions.concern(first.row, first.row.channel, addresses);
}

async function behindOlder(deps: DeliverDeps, group: readonly Delivery[]): Promise<Set<string>> {
  const [first] = group;
  if (!first || (first.trigger !== 'event.cancelled' && first.trigger !== 'event.postponed')) return new Set();
  const user_ids = group.map((row) => row.user_id);
  const ids = group.map((row) => row.id);
  return new Set(await deps.deliveries.onTheWire(first, first.event_id, first.channel, user_ids, ids));
}

async function registrationsOf(deps: DeliverDeps, group: readonly Delivery[]) {
  const ids = group.flatMap((row) => row.registration_ids);
  const [first] = group;
  const found = first && ids.length > 0 ? await deps.registrations.findMany(first, ids) : [];
  return new Map(found.map((registration) => [registration.id, registration]));
}

/** @param rows of one school, all of them urgent or none */
async function consentOf(deps: DeliverDeps, rows: readonly Delivery[]): Promise<Consent> {
  const [first] = rows;
  if (!first) return { wishes: new Map(), suppressed: new Set() };
  const { channel, senders } = deps.adapter;
  const addresses = rows.flatMap((row) => row.address ?? []);
  const user_ids = rows.flatMap((row) => readersOf(row).map((reader) => reader.user_id));
  const [preferences, suppressed, stopped] = await Promise.all([
    deps.preferences.findMany(first, user_ids),
    deps.suppressions.among(first.tenant_id, channel, addresses, first),
    deps.suppressions.stopped(senders?.[first.urgent ? 'urgent' : 'routine'] ?? [], addresses),
  ]);
  return { wishes: new Map(preferences.map((row) => [row.user_id, row.opted_out])), suppressed, stopped };
}

function groupBy(rows: readonly Delivery[], keyOf: (row: Delivery) => string): Delivery[][] {
  const groups = new Map<string, Delivery[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return [...groups.values()];
}
