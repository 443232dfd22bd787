import type { Clock } from '../../core/clock.ts';
import { groupBy } from '../../core/group-by.ts';
import { newId } from '../../core/ids.ts';
import type { EventStore } from '../../events/ports.ts';
import type { Fact } from '../../outbox/fact.ts';
import type { FactStore } from '../../outbox/ports.ts';
import type { ContactStore, PreferenceStore, SchoolStore } from '../../people/ports.ts';
import type { RegistrationStore } from '../../registrations/ports.ts';
import type { Delivery } from '../delivery.ts';
import { consentingIds } from '../policy/readers.ts';
import type { ChannelAdapter, DeliveryResult, DeliveryStore, SuppressionStore } from '../ports.ts';
import { type Capacity, groupSizeNow } from './capacity.ts';
import type { ComposeDeps } from './compose.ts';
import { loadUnits } from './digests.ts';
import type { Consent } from './evaluate.ts';
import { sendGroup } from './send.ts';

export type DeliverDeps = ComposeDeps &
  Capacity & {
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
    /** whether the deliveries are urgent: those may probe a provider earlier */
    urgent?: boolean;
    /** Loads the versions of texts that these rows were drafted with, if this program has others. */
    readyTexts?(rows: readonly Delivery[]): Promise<void>;
    leaseMs: number;
    /** Reads whether the database is still the one that this process began with; false after a backup was restored. */
    isUnchanged(): Promise<boolean>;
    /** The rate limiter of the channel, over all processes: waits for its turn; false when the process is stopping. */
    takePermits(count: number, urgent: boolean): Promise<boolean>;
    /** Waits; ends early when the process is stopping. */
    pause(ms: number): Promise<void>;
    random(): number;
    /** One named event per recorded result; never an address or a text. */
    report(result: DeliveryResult, delivery: Delivery): void;
    /** Whether the process is stopping: what has no connection yet is released. */
    isStopping(): boolean;
    /** Resolves when a stopping process can't wait for answers any longer; never otherwise. */
    stopped?: Promise<void>;
    /** Runs the work unless the same is running in this process: suspected poison messages go one at a time. */
    ifAlone(work: () => Promise<void>): Promise<boolean>;
  };

/** A wake-up that comes so much before its rows are due, as clocks differ, waits for them. */
const EARLY_MS = 5_000;
/** Timers may fire so much too early. */
const TIMER_MS = 5;
/** How long one job sends before it yields to the others of its queue. */
const TURN_MS = 500;
/** How often a resting provider is looked at again, at most. */
const ASK_AGAIN_MS = 1_000;
/** After how long suspected poison messages come again while another job of this process sends some. */
const SUSPECTS_AGAIN_MS = 3_000;

/**
 * The one path of a message: lease → gate → render → send → record, for the deliveries of one job. A row is leased by one
 * process at a time and `sending` only while its message is with the channel; the gate is asked after the lease; every
 * later write is filtered by the lease's claim. While no provider takes messages, the rows stay as they are. May repeat:
 * ids that are gone, leased or not due are passed over.
 * @returns the ids for the job's next turn
 */
export async function deliver(deps: DeliverDeps, ids: readonly string[]): Promise<string[]> {
  try {
    const left = await deliverDue(deps, ids);
    if (!deps.isStopping()) return left;
  } catch (error) {
    await deps.deliveries.release(ids);
    throw error;
  }
  await deps.deliveries.release(ids);
  return [];
}

async function deliverDue(deps: DeliverDeps, ids: readonly string[]): Promise<string[]> {
  if ((await waitForProvider(deps)) === 0) return [];
  const due = await waitUntilDue(deps, await deps.deliveries.findDue(ids, deps.adapter.channel, EARLY_MS));
  if (due.length === 0) return [];
  const run = startRun(deps);
  const units = await loadUnits(deps, due);
  const left: Delivery[][] = [];
  for (const ofSchool of groupBy(units, schoolAndUrgency)) {
    const consent = await loadConsent(deps, ofSchool.flat());
    left.push(
      ...(await sendUnits(
        run,
        ofSchool.filter((unit) => !isSuspect(unit)),
        consent,
      )),
    );
    const suspects = ofSchool.filter(isSuspect);
    const sendSuspects = async () => void left.push(...(await sendUnits(run, suspects, consent, 1)));
    if (suspects.length > 0 && !(await deps.ifAlone(sendSuspects)))
      await deps.deliveries.release(idsOf(suspects), SUSPECTS_AGAIN_MS);
  }
  return idsOf(left);
}

const idsOf = (units: readonly Delivery[][]): string[] => units.flat().map((row) => row.id);

/** Was a process killed while it had this? Then the message may be what kills it. */
const isSuspect = (unit: readonly Delivery[]): boolean => unit.some((row) => row.crashes > 0);

const schoolAndUrgency = ([row]: readonly Delivery[]): string => `${row?.tenant_id}\n${row?.school_id}\n${row?.urgent}`;

/** Waits for rows that are due in a moment. @returns those that are due; the others if the process is stopping */
async function waitUntilDue({ clock, pause }: DeliverDeps, rows: Delivery[]): Promise<Delivery[]> {
  const last = Math.max(0, ...rows.map((row) => row.due_at.getTime()));
  const waitMs = last - clock.now().getTime();
  if (waitMs <= 0) return rows;
  await pause(waitMs);
  const now = clock.now().getTime() + TIMER_MS;
  return rows.filter((row) => row.due_at.getTime() <= now);
}

/** What the groups of one job share. */
type Run = { deps: DeliverDeps; claim: string; isOver(): boolean };

function startRun(deps: DeliverDeps): Run {
  const until = deps.clock.now().getTime() + TURN_MS;
  return { deps: readOnce(deps), claim: newId(), isOver: () => deps.clock.now().getTime() >= until };
}

/**
 * Sends group after group, as fast as the channel has capacity, until the turn is over.
 * @param atOnce 1: each group is awaited before the next, and is one unit
 * @returns the units that were not begun
 */
async function sendUnits(
  { deps, claim, isOver }: Run,
  units: readonly Delivery[][],
  consent: Consent,
  atOnce?: 1,
): Promise<Delivery[][]> {
  const urgent = units[0]?.[0]?.urgent ?? false;
  const groups: Promise<void>[] = [];
  let begun = 0;
  while (begun < units.length && (begun === 0 || !isOver())) {
    const size = Math.min(units.length - begun, await waitForProvider(deps), atOnce ?? Number.POSITIVE_INFINITY);
    if (size === 0 || !(await deps.takePermits(size, urgent))) break;
    await deps.prepared.acquire(size, urgent);
    const group = sendGroup(deps, units.slice(begun, begun + size), claim, consent);
    const settled = group.catch(() => {});
    groups.push(group);
    begun += size;
    if (atOnce) await settled;
  }
  const ended = await Promise.allSettled(groups);
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return units.slice(begun);
}

/** Waits until a provider takes messages. @returns how many may be begun together; 0 if the process is stopping */
async function waitForProvider(deps: DeliverDeps): Promise<number> {
  while (!deps.isStopping()) {
    const room = groupSizeNow(deps);
    if (room.size > 0) return room.size;
    await deps.pause(Math.min(room.waitMs, ASK_AGAIN_MS));
  }
  return 0;
}

/** A fact never changes, and a school's name may be as old as the job. */
function readOnce(deps: DeliverDeps): DeliverDeps {
  const facts = new Map<string, Fact>();
  const findMany = async (ids: readonly string[]): Promise<Fact[]> => {
    const unread = ids.filter((id) => !facts.has(id));
    if (unread.length > 0) for (const fact of await deps.facts.findMany(unread)) facts.set(fact.id, fact);
    return ids.flatMap((id) => facts.get(id) ?? []);
  };
  const schools = new Map<string, ReturnType<SchoolStore['find']>>();
  return {
    ...deps,
    facts: { ...deps.facts, findMany, find: async (id) => (await findMany([id]))[0] ?? null },
    schools: {
      ...deps.schools,
      find(scope) {
        const key = `${scope.tenant_id}\n${scope.school_id}`;
        const reading = schools.get(key) ?? deps.schools.find(scope);
        schools.set(key, reading);
        return reading;
      },
    },
  };
}

/** Loads preferences and suppressions. @param rows of one school, all of them urgent or none */
async function loadConsent(deps: DeliverDeps, rows: readonly Delivery[]): Promise<Consent> {
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
