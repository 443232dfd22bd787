import type { Clock } from '../../core/clock.ts';
import { groupBy } from '../../core/groups.ts';
import { newId } from '../../core/ids.ts';
import type { EventStore } from '../../events/ports.ts';
import type { Fact } from '../../outbox/fact.ts';
import type { FactStore } from '../../outbox/ports.ts';
import type { ContactStore, PreferenceStore, SchoolStore } from '../../people/ports.ts';
import type { RegistrationStore } from '../../registrations/ports.ts';
import type { Delivery } from '../delivery.ts';
import type { ChannelAdapter, DeliveryResult, DeliveryStore, SuppressionStore } from '../ports.ts';
import { type Capacity, groupSizeNow } from './capacity.ts';
import type { ComposeDeps } from './compose.ts';
import { loadUnits } from './digests.ts';
import { sendGroup } from './send.ts';

export type DeliverDeps = ComposeDeps &
  Capacity & {
    clock: Clock;
    facts: FactStore;
    events: Pick<EventStore, 'findMany'>;
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
    /** Reads whether the database is the one that this process started with; false after a backup was restored. */
    isUnchanged(): Promise<boolean>;
    /** Waits for the rate limiter of the channel, over all processes; false if the process is stopping. */
    acquireRate(count: number, urgent: boolean): Promise<boolean>;
    /** Waits; resolves early if the process is stopping. */
    pause(ms: number): Promise<void>;
    random(): number;
    /** One named event per recorded result; never an address or a text. */
    report(result: DeliveryResult, delivery: Delivery): void;
    /** Whether the process is stopping: messages without a connection are released. */
    isStopping(): boolean;
    /** Aborted when a stopping process can't wait for answers any longer. */
    stopped?: AbortSignal;
    /** Runs the work unless such work is running in this process: suspected poison messages are sent one at a time. */
    runExclusively(work: () => Promise<void>): Promise<boolean>;
  };

/** A job waits for rows that are due within this time, because clocks differ. */
const EARLY_MS = 5_000;
/** Timers may fire early by this much. */
const TIMER_MS = 5;
/** How long one job sends before it yields to the other jobs of its queue. */
const TURN_MS = 500;
/** How often an unavailable provider is checked, at most. */
const CHECK_PROVIDER_MS = 1_000;
/** Delay of suspected poison messages while another job of this process sends some. */
const RETRY_SUSPECTS_MS = 3_000;

/**
 * The path of a message: lease → gate → render → send → record, for the deliveries of one job. One process at a time leases
 * a row, which is `sending` only while the channel has its message; the gate runs after the lease, and every later write is
 * filtered by the claim. While no provider is available the rows stay unchanged. May repeat: skips ids that are removed,
 * leased or not due.
 * @returns the ids that are left for the job's next turn
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
    const usual = ofSchool.filter((unit) => !isSuspect(unit));
    left.push(...(await sendUnits(run, usual)));
    const suspects = ofSchool.filter(isSuspect);
    const sendSuspects = async () => void left.push(...(await sendUnits(run, suspects, 1)));
    if (suspects.length > 0 && !(await deps.runExclusively(sendSuspects)))
      await deps.deliveries.release(idsOf(suspects), RETRY_SUSPECTS_MS);
  }
  return idsOf(left);
}

const idsOf = (units: readonly Delivery[][]): string[] => units.flat().map((row) => row.id);

/** Whether a process crashed while it had a row of the unit: the message may be the cause. */
const isSuspect = (unit: readonly Delivery[]): boolean => unit.some((row) => row.crashes > 0);

const schoolAndUrgency = ([row]: readonly Delivery[]): string => `${row?.tenant_id}\n${row?.school_id}\n${row?.urgent}`;

/** Waits for rows that are due soon. @returns the due rows, all of them unless the process is stopping */
async function waitUntilDue({ clock, pause }: DeliverDeps, rows: Delivery[]): Promise<Delivery[]> {
  const last = Math.max(0, ...rows.map((row) => row.due_at.getTime()));
  const waitMs = last - clock.now().getTime();
  if (waitMs <= 0) return rows;
  await pause(waitMs);
  const now = clock.now().getTime() + TIMER_MS;
  return rows.filter((row) => row.due_at.getTime() <= now);
}

/** State shared by the groups of one job. */
type Run = { deps: DeliverDeps; claim: string; isOver(): boolean };

function startRun(deps: DeliverDeps): Run {
  const until = deps.clock.now().getTime() + TURN_MS;
  return { deps: readOnce(deps), claim: newId(), isOver: () => deps.clock.now().getTime() >= until };
}

/**
 * Sends groups as the channel's capacity allows, until the turn is over.
 * @param maxGroup 1: sends one unit at a time
 * @returns the units that were not started
 */
async function sendUnits(
  { deps, claim, isOver }: Run,
  units: readonly Delivery[][],
  maxGroup?: 1,
): Promise<Delivery[][]> {
  const urgent = units[0]?.[0]?.urgent ?? false;
  const groups: Promise<void>[] = [];
  let started = 0;
  while (started < units.length && (started === 0 || !isOver())) {
    const size = Math.min(units.length - started, await waitForProvider(deps), maxGroup ?? Number.POSITIVE_INFINITY);
    if (size === 0 || !(await deps.acquireRate(size, urgent))) break;
    await deps.prepared.acquire(size, urgent);
    const group = sendGroup(deps, units.slice(started, started + size), claim);
    const settled = group.catch(() => {});
    groups.push(group);
    started += size;
    if (maxGroup) await settled;
  }
  const ended = await Promise.allSettled(groups);
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return units.slice(started);
}

/** Waits until a provider is available. @returns how many units may be started together; 0 if the process is stopping */
async function waitForProvider(deps: DeliverDeps): Promise<number> {
  while (!deps.isStopping()) {
    const { size, waitMs } = groupSizeNow(deps);
    if (size > 0) return size;
    await deps.pause(Math.min(waitMs, CHECK_PROVIDER_MS));
  }
  return 0;
}

/** Caches facts, which never change, and schools for the duration of a job. */
function readOnce(deps: DeliverDeps): DeliverDeps {
  const facts = new Map<string, Promise<Fact | undefined>>();
  const findMany = async (ids: readonly string[]): Promise<Fact[]> => {
    const unread = ids.filter((id) => !facts.has(id));
    const reading = unread.length > 0 ? deps.facts.findMany(unread) : Promise.resolve([]);
    for (const id of unread)
      facts.set(
        id,
        reading.then((found) => found.find((fact) => fact.id === id)),
      );
    return (await Promise.all(ids.map((id) => facts.get(id)))).flatMap((fact) => fact ?? []);
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
