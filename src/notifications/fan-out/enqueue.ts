import { chunksOf, groupBy } from '../../core/groups.ts';
import { isQueued, QUEUED_CHANNELS } from '../../people/channels.ts';
import type { Delivery } from '../delivery.ts';
import type { Channel } from '../policy/trigger.ts';
import type { DeliveryGroup, DeliveryQueue } from '../ports.ts';

/** Ids in one job. */
export const GROUP = 100;
/**
 * High-water mark per channel and priority: about a second of work, refilled from MongoDB round robin over tenants, so
 * that a flood of one tenant waits in MongoDB and not ahead of the others.
 */
export const CAPACITY = { urgent: 60, bulk: 40 } as const;
/** Limits of delayed jobs per channel: how many groups, and how long before they are due. */
const DELAYED = { groups: 150, ms: 15_000 } as const;

type Deps = { deliveryQueue: DeliveryQueue };

/**
 * Sets `queued_at` of fresh rows whose queue has capacity: now if they are due; the due time if they are due soon and get a
 * delayed job, so that they don't count as lost before. The others stay in MongoDB for the relay's refill, as do all if
 * the queues can't be reached.
 * @param rows all urgent or none
 */
export async function markQueued({ deliveryQueue }: Deps, rows: readonly Delivery[], now: Date): Promise<Delivery[]> {
  const priority = rows[0]?.urgent ? 'urgent' : 'bulk';
  const isDueSoon = ({ status, due_at }: Delivery) => status === 'waiting' && +due_at <= +now + DELAYED.ms;
  const depths = new Map<Channel, Awaited<ReturnType<DeliveryQueue['depth']>> | null>();
  const channels = rows.filter(isDueSoon).map((row) => row.channel);
  for (const channel of new Set(channels.filter(isQueued)))
    depths.set(channel, await deliveryQueue.depth(channel).catch(() => null));
  return rows.map((row) => {
    const depth = isDueSoon(row) && depths.get(row.channel);
    if (!depth) return row;
    if (row.due_at <= now) return depth[priority] < CAPACITY[priority] ? { ...row, queued_at: now } : row;
    return depth.later < DELAYED.groups ? { ...row, queued_at: row.due_at } : row;
  });
}

/** Queues rows of one fact. Ignores an unreachable queue, because the relay's refill finds the rows later. */
export async function enqueue({ deliveryQueue }: Deps, rows: readonly Delivery[], now: Date): Promise<void> {
  for (const channel of QUEUED_CHANNELS) {
    const ofChannel = rows.filter((row) => row.channel === channel);
    if (ofChannel.length === 0) continue;
    const groups = groupBy(ofChannel, ({ due_at }) => String(Math.max(0, +due_at - +now)));
    const jobs = groups.flatMap((some) => jobsOf(some, now));
    await deliveryQueue.add(channel, jobs).catch(() => {});
  }
}

/** @param rows all due at the same time */
function jobsOf(rows: readonly Delivery[], now: Date): DeliveryGroup[] {
  return chunksOf(rows, GROUP).map((some) => {
    const { urgent = false, tenant_id = '', due_at = now } = some[0] ?? {};
    const later = due_at > now ? { afterMs: +due_at - +now } : {};
    return { ids: some.map((row) => row.id), urgent, tenant_id, ...later };
  });
}
