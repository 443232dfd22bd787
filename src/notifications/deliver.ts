import type { EventStore } from '../events/ports.ts';
import type { FactStore } from '../facts/ports.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import type { ContactStore, PreferenceStore, SchoolStore } from '../people/ports.ts';
import type { RegistrationStore } from '../registrations/ports.ts';
import type { ComposeDeps } from './compose.ts';
import type { Delivery } from './delivery.ts';
import { groupBy } from './group-by.ts';
import { type Consent, judge, later } from './judge.ts';
import type { Outgoing } from './message.ts';
import type { Outcome } from './outcome.ts';
import type { ChannelAdapter, DeliveryStore, Settlement, SuppressionStore } from './ports.ts';
import { readersOf } from './readers.ts';
import { settlementOf } from './retry.ts';

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

/** How often it is asked whether a provider may be tried again, at the most. */
const ASKED_AGAIN_MS = 1_000;

/**
 * Begin → gate → render → provider → record, for a group of delivery ids of one channel. Comes in: ids, of which any may
 * be gone, taken or not due. Guaranteed: a row is held by one process at a time, `sending` is written before anything
 * goes on the wire, what is sent was true after that, and every later write is filtered by the claim. While no provider
 * takes messages the rows stay as they are. May repeat: a group may come any number of times; what is not waiting is left
 * alone.
 */
export async function deliver(deps: DeliverDeps, ids: readonly string[]): Promise<void> {
  if (!(await someProviderTakes(deps))) return;
  const claim = newId();
  const rows = await deps.deliveries.due(ids, deps.adapter.channel);
  if (rows.length === 0) return;
  const once = readingOnce(deps);
  let begun = 0;
  for (const ofSchool of groupBy(rows, (row) => `${row.tenant_id}\n${row.school_id}`)) {
    const consent = await consentOf(deps, ofSchool);
    const calm = ofSchool.filter((row) => row.crashes === 0);
    begun += await deliverCalm(once, calm, claim, consent);
    begun += await deliverSuspects(
      once,
      ofSchool.filter((row) => row.crashes > 0),
      claim,
      consent,
    );
  }
  // What could not be begun is given back: the process ends, or every provider is left alone for a while.
  if (begun < rows.length) await deps.deliveries.release(ids, claim);
}

/** A fact never changes, and a school's name may be as old as its group. */
function readingOnce(deps: DeliverDeps): DeliverDeps {
  const facts = new Map<string, ReturnType<FactStore['find']>>();
  const schools = new Map<string, ReturnType<SchoolStore['find']>>();
  const kept = <T>(known: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> => {
    const reading = known.get(key) ?? read();
    known.set(key, reading);
    return reading;
  };
  return {
    ...deps,
    facts: { ...deps.facts, find: (id) => kept(facts, id, () => deps.facts.find(id)) },
    schools: {
      ...deps.schools,
      find: (scope) => kept(schools, `${scope.tenant_id}\n${scope.school_id}`, () => deps.schools.find(scope)),
    },
  };
}

/** What a chunk came to, not written yet. */
type Ended = { settlements: Settlement[]; rows: readonly Delivery[] };

/**
 * Chunk after chunk, the end of each written together with the beginning of the next; without it where the next one has
 * to wait for its permits.
 * @returns how many were begun by us or somebody else
 */
async function deliverCalm(
  deps: DeliverDeps,
  rows: readonly Delivery[],
  claim: string,
  consent: Consent,
): Promise<number> {
  let begun = 0;
  let ended: Ended = { settlements: [], rows: [] };
  const write = async (beginning: readonly Delivery[]): Promise<Delivery[]> => {
    const { settlements } = ended;
    const ours = new Set(await deps.deliveries.advance(settlements, beginning, claim, deps.leaseMs));
    reportAll(deps, ended);
    ended = { settlements: [], rows: [] };
    return beginning.filter((row) => ours.has(row.id)).map((row) => ({ ...row, fence: row.fence + 1 }));
  };
  const ask = (room: number) =>
    room > 0 && begun < rows.length ? permitsFor(deps, Math.min(room, rows.length - begun)) : null;
  let ahead: ReturnType<typeof ask> = null;
  while (begun < rows.length) {
    const asked = ahead ?? ask(roomNow(deps));
    if (!(await asked?.granted)) break;
    // Another process may have been told to slow down: that came with the permits.
    const size = Math.min(asked?.count ?? 0, roomNow(deps));
    if (size === 0) break;
    const sending = await write(rows.slice(begun, begun + size));
    begun += size;
    // Not while a provider is tried with one message: what may follow is known when that is through.
    ahead = roomNow(deps) === deps.adapter.chunk ? ask(deps.adapter.chunk) : null;
    ended = await carried(deps, sending, claim, consent);
    if (!ahead?.isGranted()) await write([]);
  }
  if (ended.rows.length > 0) await write([]);
  return begun;
}

/** Asked for while the chunk before is on its way. */
function permitsFor(deps: DeliverDeps, count: number) {
  let known = false;
  const granted = deps.takePermits(count).finally(() => {
    known = true;
  });
  return { count, granted, isGranted: () => known };
}

/** One after another, each held while it waits for its turn. @returns how many came to an end of some kind */
async function deliverSuspects(
  deps: DeliverDeps,
  suspects: readonly Delivery[],
  claim: string,
  consent: Consent,
): Promise<number> {
  if (suspects.length === 0) return 0;
  const ids = suspects.map((row) => row.id);
  const claimed = await deps.deliveries.claim(ids, deps.adapter.channel, claim, deps.leaseMs);
  let begun = suspects.length - claimed.length;
  for (const suspect of claimed) {
    if (roomNow(deps) === 0) break;
    begun += await deps.oneAtATime(() => deliverSuspect(deps, suspect, claim, consent));
  }
  return begun;
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

async function deliverSuspect(deps: DeliverDeps, row: Delivery, claim: string, consent: Consent): Promise<number> {
  if (!(await deps.takePermits(1)) || roomNow(deps) === 0) return 0;
  const ours = await deps.deliveries.markSending([row.id], claim, deps.leaseMs);
  const ended = await carried(deps, ours.length > 0 ? [row] : [], claim, consent);
  await deps.deliveries.settle(ended.settlements, claim);
  reportAll(deps, ended);
  return 1;
}

/** Gate, render, provider, for rows that are `sending` under our claim. */
async function carried(deps: DeliverDeps, rows: readonly Delivery[], claim: string, consent: Consent): Promise<Ended> {
  const judgements = await judge(deps, rows, consent).catch(async (error) => {
    // Nothing has left: give the rows back rather than let their leases run out as if something might have.
    await deps.deliveries.settle(
      rows.map((row) => later(row, 'not judged')),
      claim,
    );
    throw error;
  });
  const settlements = judgements.flatMap(({ stop }) => stop ?? []);
  const ready = judgements.flatMap(({ row, message }) => (message ? [{ row, message }] : []));
  const suspects = ready.filter(({ row }) => row.crashes > 0).map(({ row }) => row.id);
  if (suspects.length > 0) await deps.deliveries.markHandedOver(suspects, claim);
  const outcomes = await sendAll(
    deps.adapter,
    ready.map(({ message }) => message),
  );
  const now = deps.clock.now();
  for (const [i, { row }] of ready.entries()) {
    const outcome = outcomes[i] ?? { kind: 'unclassified', detail: 'no outcome' };
    await remember(deps, row, outcome);
    settlements.push(settlementOf(row, outcome, now, deps.random()));
  }
  return { settlements, rows };
}

function reportAll(deps: DeliverDeps, { settlements, rows }: Ended): void {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const settlement of settlements) {
    const row = byId.get(settlement.id);
    if (row) deps.report(settlement, row);
  }
}

/** An adapter never throws; one that does anyway has left us in doubt about all of its messages. */
async function sendAll(adapter: ChannelAdapter, messages: readonly Outgoing[]): Promise<Outcome[]> {
  if (messages.length === 0) return [];
  return adapter.send(messages).catch(() => messages.map(() => ({ kind: 'ambiguous', detail: 'the adapter threw' })));
}

/** What an outcome teaches beyond this one message. */
async function remember(deps: DeliverDeps, row: Delivery, outcome: Outcome): Promise<void> {
  if (row.address === null) return;
  if (outcome.kind === 'bad_address' || outcome.kind === 'opted_out')
    await deps.suppressions.add(row.tenant_id, row.channel, row.address, outcome.detail);
}

async function consentOf(deps: DeliverDeps, rows: readonly Delivery[]): Promise<Consent> {
  const [first] = rows;
  if (!first) return { wishes: new Map(), suppressed: new Set() };
  const [preferences, suppressed] = await Promise.all([
    deps.preferences.findMany(
      first,
      rows.flatMap((row) => readersOf(row).map((reader) => reader.user_id)),
    ),
    deps.suppressions.among(
      first.tenant_id,
      deps.adapter.channel,
      rows.flatMap((row) => row.address ?? []),
    ),
  ]);
  return { wishes: new Map(preferences.map((row) => [row.user_id, row.opted_out])), suppressed };
}
