import { type Group, groupBy } from '../../core/groups.ts';
import { newId } from '../../core/ids.ts';
import type { Release } from '../../core/priority.ts';
import { scopeKey } from '../../people/caller.ts';
import type { Outgoing } from '../content/message.ts';
import type { Delivery } from '../delivery.ts';
import type { Outcome } from '../outcome.ts';
import type { DeliveryJob } from '../ports.ts';
import { type Capacity, type ProviderDeps, waitForProvider } from './capacity.ts';
import { composeMessages, idsOf, loadUnits, type Message, rowsOf, waitOfPart } from './digests.ts';
import { type Decision, evaluateLeased, type GateDeps } from './evaluate.ts';
import { readdress } from './readers.ts';
import { recordOutcome, recordStops, releaseLeased } from './record.ts';

/** The needs of the delivery path. */
export type DeliverDeps = GateDeps &
  Capacity &
  ProviderDeps & {
    /** Waits for the rate limiter of the channel, over all processes; false if the process is stopping. */
    acquireRate(count: number, urgent: boolean): Promise<boolean>;
    /** Aborted when a stopping process can't wait for answers any longer. */
    stopped: AbortSignal;
  };

/** Deliveries to send; urgent ones may probe a provider earlier. */
export type Job = Pick<DeliveryJob, 'ids' | 'urgent'>;

/** A job waits for rows that are due within this time, because clocks differ. */
const EARLY_MS = 5_000;
/** Timers may fire early by this much. */
const TIMER_MS = 5;
/** How long one job sends before it yields to the other jobs of its queue. */
const TURN_MS = 500;
/** How long a decision of the gate is valid; a message that waits longer for a connection is released. */
const FRESH_MS = 5_000;
/** Delay of suspected poison messages while another job of this process sends some. */
const RETRY_SUSPECTED_MS = 3_000;

/**
 * The path of a message: lease → gate → render → send → record, for the deliveries of one job. One process at a time leases
 * a row, which is `sending` only while the channel has its message; the gate runs after the lease, and every later write is
 * filtered by the claim. While no provider is available the rows stay unchanged. May repeat: skips ids that are removed,
 * leased or not due.
 * @returns the ids that are left for the job's next turn
 */
export async function deliver(deps: DeliverDeps, job: Job): Promise<string[]> {
  const { ids } = job;
  try {
    const left = await deliverDue(deps, await loadDue(deps, job));
    if (!deps.isStopping()) return left;
  } catch (error) {
    await deps.deliveries.release(ids);
    throw error;
  }
  await deps.deliveries.release(ids);
  return [];
}

/** Waits until a provider is available, then until the rows that are due soon are due. @returns the due rows */
async function loadDue(deps: DeliverDeps, { ids, urgent }: Job): Promise<Delivery[]> {
  const { clock, pause, deliveries, adapter } = deps;
  if ((await waitForProvider(deps, urgent)) === 0) return [];
  const rows = await deliveries.findDue(ids, adapter.channel, EARLY_MS);
  const waitMs = Math.max(0, ...rows.map((row) => row.due_at.getTime())) - clock.now().getTime();
  if (waitMs <= 0) return rows;
  await pause(waitMs);
  const now = clock.now().getTime() + TIMER_MS;
  return rows.filter((row) => row.due_at.getTime() <= now);
}

/** Sends the due deliveries of one job: school by school, suspected poison messages last and one at a time. */
async function deliverDue(deps: DeliverDeps, due: readonly Delivery[]): Promise<string[]> {
  const until = deps.clock.now().getTime() + TURN_MS;
  const claim = newId();
  const left: Delivery[][] = [];
  for (const units of groupBy(await loadUnits(deps, due), schoolAndUrgency)) {
    const [[first]] = units;
    const moved = await readdress(deps, first, units.flat());
    const current = units.map((unit) => unit.filter(({ id }) => !moved.has(id))).filter((unit) => unit.length > 0);
    const job: SchoolJob = { claim, urgent: first.urgent, until };
    left.push(...(await sendUnits(deps, job, current.filter(isUsual))));
    const suspected = current.filter((unit) => !isUsual(unit));
    if (suspected.length === 0) continue;
    const ran = await deps.runExclusively(async () => void left.push(...(await sendUnits(deps, job, suspected, 1))));
    if (!ran) await deps.deliveries.release(idsOf(suspected.flat()), RETRY_SUSPECTED_MS);
  }
  return idsOf(left.flat());
}

/** The part of a job that concerns one school and urgency. It is sent under the claim of the job, until its turn is over. */
type SchoolJob = { claim: string; urgent: boolean; until: number };

const schoolAndUrgency = ([row]: Group<Delivery>): string => `${scopeKey(row)} ${row.urgent}`;

/** Whether no process crashed while it had a row of the unit; if one did, the message may be the cause. */
const isUsual = (unit: readonly Delivery[]): boolean => unit.every((row) => row.crashes === 0);

/**
 * Starts batches as the channel's capacity allows, until the turn is over.
 * @param units deliveries that are sent together: one, or the members of a digest
 * @param maxBatch 1: sends one unit at a time
 * @returns the units that were not started
 */
async function sendUnits(deps: DeliverDeps, job: SchoolJob, units: readonly Delivery[][], maxBatch?: 1) {
  const batches: Promise<void>[] = [];
  let started = 0;
  while (started < units.length && (started === 0 || deps.clock.now().getTime() < job.until)) {
    const size = Math.min(
      units.length - started,
      await waitForProvider(deps, job.urgent),
      maxBatch ?? Number.POSITIVE_INFINITY,
    );
    if (size === 0 || !(await deps.acquireRate(size, job.urgent))) break;
    const release = await deps.prepared.acquire(size, job.urgent);
    const batch = sendBatch(deps, job, units.slice(started, started + size), release);
    // Its failure is thrown below; until then it must not end the process as unhandled.
    batch.catch(() => {});
    batches.push(batch);
    started += size;
    if (maxBatch) await Promise.allSettled(batches);
  }
  const failed = (await Promise.allSettled(batches)).find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return units.slice(started);
}

/** Lease → gate → render, for units of one school, then send → record for each message that the gate lets pass. */
export async function sendBatch(
  deps: DeliverDeps,
  job: SchoolJob,
  units: readonly Delivery[][],
  releasePrepared: Release,
): Promise<void> {
  try {
    const leased = await leaseUnits(deps, units, job.claim);
    const decisions = await evaluateOrRelease(deps, leased, job.claim);
    const freshUntil = deps.clock.now().getTime() + FRESH_MS;
    const messages = await composeMessages(deps, decisions, job.claim);
    const stops = decisions.flatMap(({ row, stop }) => (stop ? { row, result: stop } : []));
    await Promise.all([
      recordStops(deps, stops, job.claim),
      ...messages.map((message) => sendMessage(deps, job, message, freshUntil, releasePrepared)),
    ]);
  } finally {
    releasePrepared();
  }
}

const SHARED_DIGEST = 'another worker has leased a part of its digest';

/** Leases units under the next fencing token. @returns the leased rows; of a composed digest all or none */
async function leaseUnits(deps: DeliverDeps, units: readonly Delivery[][], claim: string): Promise<Delivery[]> {
  const ours = new Set(await deps.deliveries.lease(units.flat(), claim, deps.leaseMs));
  const complete: Delivery[] = [];
  for (const unit of units) {
    const leased = unit.filter((row) => ours.has(row.id)).map((row) => ({ ...row, fence: row.fence + 1 }));
    if (leased.length === unit.length || !leased[0]?.digest_id) complete.push(...leased);
    else await releaseLeased(deps, leased, claim, SHARED_DIGEST, waitOfPart(leased, unit));
  }
  return complete;
}

/** Asks the gate. If the database fails, releases the rows, so that no one waits for their leases to run out. */
async function evaluateOrRelease(deps: DeliverDeps, leased: readonly Delivery[], claim: string): Promise<Decision[]> {
  try {
    // A digest may also have messages that are not urgent, which fewer people want.
    const byUrgency = groupBy(leased, ({ urgent }) => String(urgent));
    return (await Promise.all(byUrgency.map((rows) => evaluateLeased(deps, rows)))).flat();
  } catch (error) {
    await releaseLeased(deps, leased, claim, 'the gate could not read the database');
    throw error;
  }
}

/** Send → record. The row is `sending` from the moment the message has a connection until its outcome is recorded. */
async function sendMessage(
  deps: DeliverDeps,
  { claim, urgent }: SchoolJob,
  message: Message,
  freshUntil: number,
  releasePrepared: Release,
): Promise<void> {
  const releaseConnection = await deps.connections.acquire(1, urgent);
  releasePrepared(1);
  const rows = rowsOf(message);
  let recorded: Promise<void>;
  try {
    if (deps.clock.now().getTime() > freshUntil || deps.isStopping())
      recorded = releaseLeased(deps, rows, claim, 'no connection was free', 0);
    else if ((await deps.deliveries.markSending(rows, claim, deps.leaseMs)).length < rows.length)
      recorded = releaseLeased(deps, rows, claim, SHARED_DIGEST);
    else recorded = recordOutcome(deps, message, await sendOrUnknown(deps, message.outgoing), claim);
  } finally {
    // The mark of the next message follows this result in one command, so that a killed process leaves at most one
    // message per connection unknown.
    releaseConnection();
  }
  await recorded;
}

/**
 * Sends a message. The outcome is ambiguous if the process can't wait any longer, or the adapter throws, which none should.
 * Leaves nothing behind on the signal: a race against a promise of its abort would keep every message in memory.
 */
function sendOrUnknown({ adapter, stopped }: DeliverDeps, message: Outgoing): Promise<Outcome> {
  return new Promise((resolve) => {
    const ambiguous = (detail: string) => resolve({ kind: 'ambiguous', detail });
    const end = () => ambiguous('the process ended');
    stopped.addEventListener('abort', end);
    const sent = adapter.send(message).then(resolve, () => ambiguous('the adapter threw'));
    void sent.finally(() => stopped.removeEventListener('abort', end));
    if (stopped.aborted) end();
  });
}
