import { chunksOf, type Group, groupBy, inTurnAfter } from '../../core/groups.ts';
import { PRIORITIES, type Priority } from '../../core/priority.ts';
import { type Channel, isQueued, QUEUED_CHANNELS, type QueuedChannel } from '../../people/channels.ts';
import type { Delivery } from '../delivery.ts';
import type { DeliveryJob, DeliveryQueue, NotificationStores } from '../ports.ts';

/** Ids in one job. */
const JOB_SIZE = 100;
/**
 * High-water mark per channel and priority: about a second of work, refilled from MongoDB round robin over tenants, so
 * that a flood of one tenant waits in MongoDB and not ahead of the others.
 */
const CAPACITY = { urgent: 60, bulk: 40 } as const;
/** Limits of delayed jobs per channel: how many, and how long before they are due. */
const DELAYED = { jobs: 150, ms: 15_000 } as const;

type Deps = { deliveryQueue: DeliveryQueue };
type Depth = Awaited<ReturnType<DeliveryQueue['depth']>>;

/**
 * Sets `queued_at` of fresh rows whose queue has capacity: now if they are due; the due time if they are due soon and get a
 * delayed job, so that they don't count as lost before. The others stay in MongoDB for the relay's refill, as do all if
 * the queues can't be reached.
 * @param rows all urgent or none
 */
export async function markQueued({ deliveryQueue }: Deps, rows: readonly Delivery[], now: Date): Promise<Delivery[]> {
  const priority = rows[0]?.urgent ? 'urgent' : 'bulk';
  const isDueSoon = ({ status, due_at }: Delivery) => status === 'waiting' && +due_at <= +now + DELAYED.ms;
  const channels = new Set(rows.filter(isDueSoon).map((row) => row.channel));
  const read = async (channel: QueuedChannel) =>
    [channel, await deliveryQueue.depth(channel).catch(() => null)] as const;
  const depths = new Map<Channel, Depth | null>(await Promise.all([...channels].filter(isQueued).map(read)));
  return rows.map((row) => {
    const depth = isDueSoon(row) && depths.get(row.channel);
    if (!depth) return row;
    if (row.due_at <= now) return depth[priority] < CAPACITY[priority] ? { ...row, queued_at: now } : row;
    return depth.later < DELAYED.jobs ? { ...row, queued_at: row.due_at } : row;
  });
}

/** Queues rows of one fact. Ignores an unreachable queue, because the relay's refill finds the rows later. */
export async function enqueue({ deliveryQueue }: Deps, rows: readonly Delivery[], now: Date): Promise<void> {
  for (const channel of QUEUED_CHANNELS) {
    const ofChannel = rows.filter((row) => row.channel === channel);
    if (ofChannel.length === 0) continue;
    const dueTogether = groupBy(ofChannel, ({ due_at }) => String(Math.max(0, +due_at - +now)));
    const jobs = dueTogether.flatMap((some) => jobsOf(some, now));
    await deliveryQueue.add(channel, jobs).catch(() => {});
  }
}

/** @param rows all due at the same time */
function jobsOf(rows: Group<Delivery>, now: Date): DeliveryJob[] {
  const [{ urgent, tenant_id, due_at }] = rows;
  const later = due_at > now ? { afterMs: +due_at - +now } : {};
  return chunksOf(rows, JOB_SIZE).map((some) => ({ ids: some.map((row) => row.id), urgent, tenant_id, ...later }));
}

/** A row queued longer ago than this, while the queue of its priority is empty, has lost its wake-up. */
const LOST_AFTER_MS = 2_000;

/**
 * When the relay has to look for work: now while facts or messages are in progress, because their wake-ups may get lost; else
 * when the next message is due.
 */
export async function findNextRelay(deps: NotificationStores): Promise<Date | null> {
  // In the order in which work proceeds, so that none is missed.
  if ((await deps.facts.isAnyUnfinished()) || (await deps.deliveries.isAnyInProgress())) return deps.clock.now();
  return deps.deliveries.findNextDue(QUEUED_CHANNELS);
}

/**
 * Refills the queues of all channels from MongoDB: urgent rows first, tenants round robin (fair queueing). Also requeues rows
 * whose wake-up was lost: an empty queue can't hold their ids.
 * @returns a function that refills them once, and returns how many ids were queued
 */
export function createRefill({ deliveries, deliveryQueue }: NotificationStores & Deps): () => Promise<number> {
  /** By queue: the tenant queued last, and the tenants queued since the queue last had capacity. */
  const turns = new Map<string, { last: string; sinceFull: Set<string> }>();

  async function refill(channel: QueuedChannel, priority: Priority, capacity: number): Promise<number> {
    const key = `${channel} ${priority}`;
    const turn = turns.get(key) ?? { last: '', sinceFull: new Set() };
    turns.set(key, turn);
    const urgent = priority === 'urgent';
    if (capacity > 0) turn.sinceFull.clear();
    let left = capacity;
    let queued = 0;
    for (;;) {
      const waiting = await deliveries.findWaitingTenants(channel, urgent);
      // A full queue is one tenant's burst: every tenant without a job in it still gets one.
      const tenants = inTurnAfter(turn.last, waiting).filter((tenant) => left > 0 || !turn.sinceFull.has(tenant));
      if (tenants.length === 0) return queued;
      for (const tenant of tenants) {
        if (left <= 0 && turn.sinceFull.has(tenant)) continue;
        queued += await takeTurn(channel, urgent, tenant);
        turn.last = tenant;
        turn.sinceFull.add(tenant);
        left -= 1;
      }
    }
  }

  /** Queues the next rows of one tenant. @returns how many */
  async function takeTurn(channel: QueuedChannel, urgent: boolean, tenant_id: string): Promise<number> {
    const ids = await deliveries.takeForQueue(channel, urgent, tenant_id, JOB_SIZE);
    if (ids.length > 0) await deliveryQueue.add(channel, [{ ids, urgent, tenant_id }]);
    return ids.length;
  }

  return async () => {
    const depths = await Promise.all(
      QUEUED_CHANNELS.map(async (channel) => ({ channel, depth: await deliveryQueue.depth(channel) })),
    );
    for (const priority of PRIORITIES) {
      const empty = depths.filter(({ depth }) => depth[priority] === 0).map(({ channel }) => channel);
      if (empty.length > 0) await deliveries.requeueLost(empty, priority === 'urgent', LOST_AFTER_MS);
    }
    let queued = 0;
    for (const priority of PRIORITIES)
      for (const { channel, depth } of depths)
        queued += await refill(channel, priority, CAPACITY[priority] - depth[priority]);
    return queued;
  };
}
