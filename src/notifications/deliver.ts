import type { EventStore } from '../events/ports.ts';
import type { Fact } from '../facts/fact.ts';
import type { FactStore } from '../facts/ports.ts';
import type { Clock } from '../kernel/clock.ts';
import { groupBy } from '../kernel/group-by.ts';
import { newId } from '../kernel/ids.ts';
import type { ContactStore, PreferenceStore, SchoolStore } from '../people/ports.ts';
import type { RegistrationStore } from '../registrations/ports.ts';
import { carried, reportAll, roomNow } from './carry.ts';
import type { ComposeDeps } from './compose.ts';
import { deliverPlain } from './deliver-plain.ts';
import type { Delivery } from './delivery.ts';
import { completed } from './digests.ts';
import type { Consent } from './judge.ts';
import { takeChunk, unitOf } from './parcels.ts';
import type { ChannelAdapter, DeliveryStore, Settlement, SuppressionStore } from './ports.ts';
import { readersOf } from './readers.ts';

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
  /** whether what it is asked for is urgent: that need not leave a provider alone for as long as the rest */
  urgent?: boolean;
  /** Fetches the texts these were drafted with, where this program has others. */
  readyTexts?(rows: readonly Delivery[]): Promise<void>;
  leaseMs: number;
  /** Waits until so many messages may leave, across all processes; false where the process is ending. */
  takePermits(count: number, urgent: boolean): Promise<boolean>;
  /** Waits; ends early where the process is ending. */
  pause(ms: number): Promise<void>;
  random(): number;
  /** One named event per settled message; never an address or a text. */
  report(settlement: Settlement, delivery: Delivery): void;
  /** Whether the process is ending: what is not on the wire yet is given back. */
  isStopping(): boolean;
  /** Does it unless it is being done already: suspects have one place in this process. @returns whether it was done */
  ifAlone(work: () => Promise<void>): Promise<boolean>;
};

/** A wake-up that comes so much before its rows are due, as clocks differ, waits for them. */
const EARLY_MS = 5_000;
/** By so much timers are early. */
const HAIR_MS = 5;
/** How long one group is worked on at a time, beyond the chunk it has begun. */
const TURN_MS = 500;
/** How often it is asked whether a provider may be tried again, at the most. */
const ASKED_AGAIN_MS = 1_000;
/** Suspects sent in one turn, and after how long those look again that found their place taken. */
const SUSPECTS = 10;
const PLACE_TAKEN_MS = 3_000;

/**
 * Begin → gate → render → provider → record, for a group of delivery ids of one channel. Comes in: ids, of which any may
 * be gone, taken or not due. Guaranteed: a row is held by one process at a time, `sending` is written before anything
 * goes on the wire, what is sent was true after that, and every later write is filtered by the claim. While no provider
 * takes messages the rows stay as they are. May repeat: a group may come any number of times; what is not waiting is left
 * alone. Where it takes long others have their turn in between.
 * @returns the ids that nothing was done for, since its turn was over
 */
export async function deliver(deps: DeliverDeps, ids: readonly string[]): Promise<string[]> {
  if (!(await someProviderTakes(deps))) return [];
  const claim = newId();
  const rows = await dueNow(deps, await deps.deliveries.due(ids, deps.adapter.channel, EARLY_MS));
  if (rows.length === 0) return [];
  const until = deps.clock.now().getTime() + TURN_MS;
  const isOver = () => deps.clock.now().getTime() >= until;
  const once = readingOnce(deps);
  const plain = rows.filter(isPlain);
  const left: string[] = [];
  let isStuck = false;
  for (const ofSchool of groupBy(plain, schoolAndUrgency)) {
    const begun = await deliverPlain(once, ofSchool, claim, await consentOf(deps, ofSchool), isOver);
    if (begun === ofSchool.length) continue;
    if (isOver() && roomNow(deps) > 0) left.push(...ofSchool.slice(begun).map((row) => row.id));
    else isStuck = true;
  }
  // What could not be begun is given back: the process ends, or every provider is left alone for a while.
  if (isStuck) await deps.deliveries.release(ids, claim);
  if (plain.length < rows.length)
    await deliverHeld(
      once,
      rows.filter((row) => !isPlain(row)),
      claim,
    );
  return isStuck ? [] : left;
}

/** Waits for those that are due in a moment. @returns those that are due; the others where the process is ending */
async function dueNow({ clock, pause }: DeliverDeps, rows: Delivery[]): Promise<Delivery[]> {
  const last = Math.max(0, ...rows.map((row) => row.due_at.getTime()));
  const waitMs = last - clock.now().getTime();
  if (waitMs <= 0) return rows;
  await pause(waitMs);
  const now = clock.now().getTime() + HAIR_MS;
  return rows.filter((row) => row.due_at.getTime() <= now);
}

/** Neither tried before by a process that ended, nor one of several that go as one. */
const isPlain = (row: Delivery): boolean => row.crashes === 0 && row.digest_key === null;

const schoolAndUrgency = (row: Delivery): string => `${row.tenant_id}\n${row.school_id}\n${row.urgent}`;

/**
 * Those that are held while others are sent: what waited for the same reader, and suspects, which go one by one and have
 * one place in this process, since each of them may take as long as a provider is waited for.
 */
async function deliverHeld(deps: DeliverDeps, held: readonly Delivery[], claim: string): Promise<void> {
  const ids = held.map((row) => row.id);
  const claimed = await deps.deliveries.claim(ids, deps.adapter.channel, claim, deps.leaseMs);
  const fresh = claimed.filter((row) => row.digest_id === null);
  const again = await completed(
    deps,
    claimed.filter((row) => row.digest_id !== null),
    claim,
  );
  const all = [...fresh, ...(await matesOf(deps, fresh, claim)), ...again];
  let begun = 0;
  const suspects: Delivery[][] = [];
  for (const ofSchool of groupBy(all, schoolAndUrgency)) {
    const consent = await consentOf(deps, ofSchool);
    const units = groupBy(ofSchool, unitOf);
    const isSuspect = (unit: readonly Delivery[]) => unit.some((row) => row.crashes > 0);
    suspects.push(...units.filter(isSuspect));
    const calm = units.filter((unit) => !isSuspect(unit)).flat();
    for (let size = roomNow(deps); calm.length > 0 && size > 0; size = roomNow(deps)) {
      begun += await deliverClaimed(deps, takeChunk(calm, size), claim, consent);
    }
  }
  let isTheirTurn = true;
  if (suspects.length > 0)
    isTheirTurn = await deps.ifAlone(async () => {
      for (const suspect of suspects.slice(0, SUSPECTS)) {
        if (roomNow(deps) === 0) return;
        begun += await deliverClaimed(deps, suspect, claim, await consentOf(deps, suspect));
      }
    });
  if (begun === all.length) return;
  if (!isTheirTurn) await deps.deliveries.release(idsOf(suspects.flat()), claim, PLACE_TAKEN_MS);
  await deps.deliveries.release(idsOf(all), claim);
}

const idsOf = (rows: readonly Delivery[]): string[] => rows.map((row) => row.id);

/** What else the same people have waited for and was never tried: it goes with it in one message. */
async function matesOf({ deliveries, adapter, leaseMs }: DeliverDeps, rows: readonly Delivery[], claim: string) {
  const keys = adapter.digests ? [...new Set(rows.flatMap((row) => row.digest_key ?? []))] : [];
  if (keys.length === 0) return [];
  return deliveries.claimMates(keys, adapter.channel, new Set(rows.map((row) => row.id)), claim, leaseMs);
}

/** @returns how many came to an end of some kind: all of them, or none where nothing may leave after all */
async function deliverClaimed(
  deps: DeliverDeps,
  rows: readonly Delivery[],
  claim: string,
  consent: Consent,
): Promise<number> {
  if (!(await deps.takePermits(rows.length, rows[0]?.urgent ?? false))) return 0;
  // Another process may have been told to slow down: that came with the permits.
  if (roomNow(deps) === 0) return 0;
  const ids = rows.map((row) => row.id);
  const ours = new Set(await deps.deliveries.markSending(ids, claim, deps.leaseMs));
  const ended = await carried(
    deps,
    rows.filter((row) => ours.has(row.id)),
    claim,
    consent,
  );
  await deps.deliveries.settle(ended.settlements, claim);
  reportAll(deps, ended);
  return rows.length;
}

/** A fact never changes, and a school's name may be as old as its group. */
function readingOnce(deps: DeliverDeps): DeliverDeps {
  const facts = new Map<string, Fact>();
  const findMany = async (ids: readonly string[]): Promise<Fact[]> => {
    const unread = ids.filter((id) => !facts.has(id));
    if (unread.length > 0) for (const fact of await deps.facts.findMany(unread)) facts.set(fact.id, fact);
    return ids.flatMap((id) => facts.get(id) ?? []);
  };
  const schools = new Map<string, ReturnType<SchoolStore['find']>>();
  const kept = <T>(known: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> => {
    const reading = known.get(key) ?? read();
    known.set(key, reading);
    return reading;
  };
  return {
    ...deps,
    facts: { ...deps.facts, findMany, find: async (id) => (await findMany([id]))[0] ?? null },
    schools: {
      ...deps.schools,
      find: (scope) => kept(schools, `${scope.tenant_id}\n${scope.school_id}`, () => deps.schools.find(scope)),
    },
  };
}

/** Waits, before any row is touched, until a provider takes messages. @returns false where the process is ending */
async function someProviderTakes(deps: DeliverDeps): Promise<boolean> {
  while (!deps.isStopping()) {
    const room = deps.adapter.room?.(deps.urgent) ?? 'all';
    if (typeof room !== 'number') return true;
    await deps.pause(Math.min(room, ASKED_AGAIN_MS));
  }
  return false;
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
