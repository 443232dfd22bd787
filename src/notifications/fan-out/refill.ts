import type { Clock } from '../../core/clock.ts';
import { groupBy } from '../../core/groups.ts';
import { PRIORITIES, type Priority } from '../../core/priority.ts';
import type { FactStore } from '../../outbox/ports.ts';
import { QUEUED_CHANNELS, type QueuedChannel } from '../../people/channels.ts';
import type { DeliveryGroup, DeliveryQueue, DeliveryStore } from '../ports.ts';
import { CAPACITY, GROUP } from './enqueue.ts';

/** A row queued longer ago than this, while the queue of its priority is empty, has lost its wake-up. */
const LOST_AFTER_MS = 2_000;

/**
 * When the queues have to be refilled: now while facts or messages are in progress, because their wake-ups may get lost; else
 * when the next message is due.
 */
export async function nextRefill(deps: {
  facts: Pick<FactStore, 'isAnyUnfinished'>;
  deliveries: Pick<DeliveryStore, 'isAnyInProgress' | 'nextDue'>;
  clock: Clock;
}): Promise<Date | null> {
  // In the order in which work proceeds, so that none is missed.
  if ((await deps.facts.isAnyUnfinished()) || (await deps.deliveries.isAnyInProgress())) return deps.clock.now();
  return deps.deliveries.nextDue(QUEUED_CHANNELS);
}

/**
 * Refills the queues of all channels from MongoDB: urgent rows first, tenants round robin (fair queueing). Also requeues rows
 * whose wake-up was lost: an empty queue can't hold their ids.
 * @returns a function that refills them once, and returns how many ids were queued
 */
export function createRefill(deps: {
  deliveries: Pick<DeliveryStore, 'requeueLost' | 'isAnyWaiting' | 'findWaitingTenants' | 'takeForQueue'>;
  deliveryQueue: DeliveryQueue;
}): () => Promise<number> {
  const { deliveries, deliveryQueue } = deps;
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
      // A full queue is one tenant's burst: every tenant without a group in it still gets one.
      const tenants = inTurn(waiting, turn.last).filter((tenant) => left > 0 || !turn.sinceFull.has(tenant));
      if (tenants.length === 0) return queued;
      for (const tenant of tenants) {
        if (left <= 0 && turn.sinceFull.has(tenant)) continue;
        const taken = await deliveries.takeForQueue(channel, urgent, tenant, GROUP);
        const groups = groupsOf(taken, urgent, tenant);
        if (groups.length > 0) await deliveryQueue.add(channel, groups);
        turn.last = tenant;
        turn.sinceFull.add(tenant);
        left -= Math.max(1, groups.length);
        queued += taken.length;
      }
    }
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
    for (const priority of PRIORITIES) {
      if (!(await deliveries.isAnyWaiting(QUEUED_CHANNELS, priority === 'urgent'))) continue;
      for (const { channel, depth } of depths)
        queued += await refill(channel, priority, CAPACITY[priority] - depth[priority]);
    }
    return queued;
  };
}

/** Tenants after the last one first. */
const inTurn = (tenants: readonly string[], last: string): string[] => [
  ...tenants.filter((tenant) => tenant > last),
  ...tenants.filter((tenant) => tenant <= last),
];

/** Suspected poison messages go in jobs of their own, and are sent one by one. */
function groupsOf(
  rows: readonly { id: string; suspected: boolean }[],
  urgent: boolean,
  tenant_id: string,
): DeliveryGroup[] {
  return groupBy(rows, (row) => String(row.suspected)).map((some) => ({
    ids: some.map((row) => row.id),
    urgent,
    tenant_id,
  }));
}
