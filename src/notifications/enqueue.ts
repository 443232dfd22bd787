import type { Delivery } from './delivery.ts';
import type { DeliveryGroup, DeliveryQueue, DeliveryStore } from './ports.ts';
import { CHANNELS, type Channel } from './trigger.ts';

/** Ids in one job. */
const GROUP = 100;
/**
 * Jobs of one channel and lane that Redis holds at most: about a second of work, refilled from MongoDB in turn by
 * tenant, so that a flood of one tenant waits in MongoDB and not ahead of the others.
 */
const WINDOW = { urgent: 200, bulk: 40 } as const;
/** A row queued longer ago than this while its queue is idle has lost its wake-up. */
const LOST_AFTER_MS = 2_000;

type Deps = { deliveries: DeliveryStore; deliveryQueue: DeliveryQueue };

/** Puts fresh rows on their queues as long as the window has room; the others wait for `feed`. */
export const enqueue = {
  /** Channels whose window has room for rows such as these (one fact, so all urgent or none). */
  async room(deps: Deps, rows: readonly Delivery[]): Promise<Set<Channel>> {
    const open = new Set<Channel>();
    for (const channel of new Set(rows.filter((row) => row.status === 'waiting').map((row) => row.channel))) {
      const depth = await depthOrFull(deps, channel);
      const lane = rows[0]?.urgent ? 'urgent' : 'bulk';
      if (depth[lane] < WINDOW[lane]) open.add(channel);
    }
    return open;
  },

  /** A queue that can't be reached costs nothing but time: the rows are there, and `feed` finds them. */
  async rows(deps: Deps, rows: readonly Delivery[]): Promise<void> {
    for (const channel of CHANNELS) {
      const ofChannel = rows.filter((row) => row.channel === channel);
      if (ofChannel.length === 0) continue;
      const groups: DeliveryGroup[] = [];
      for (let i = 0; i < ofChannel.length; i += GROUP) {
        groups.push({ ids: ofChannel.slice(i, i + GROUP).map((row) => row.id), urgent: ofChannel[0]?.urgent ?? false });
      }
      await deps.deliveryQueue.add(channel, groups).catch(() => {});
    }
  },
};

/**
 * Tops the window of each channel up from MongoDB: urgent first, tenants in turn, a group each. Also notices wake-ups
 * that were lost: a queue that holds nothing can't be holding anybody's id.
 * @returns how many ids were put on queues
 */
export async function feed(deps: Deps): Promise<number> {
  let fed = 0;
  for (const channel of CHANNELS) {
    const depth = await deps.deliveryQueue.depth(channel);
    if (depth.urgent + depth.bulk + depth.active === 0) await deps.deliveries.requeueLost(channel, LOST_AFTER_MS);
    for (const lane of ['urgent', 'bulk'] as const) {
      fed += await feedLane(deps, channel, lane === 'urgent', WINDOW[lane] - depth[lane]);
    }
  }
  return fed;
}

async function feedLane(deps: Deps, channel: Channel, urgent: boolean, room: number): Promise<number> {
  let left = room;
  let fed = 0;
  while (left > 0) {
    const tenants = await deps.deliveries.tenantsWaiting(channel, urgent);
    if (tenants.length === 0) break;
    for (const tenant of tenants) {
      if (left <= 0) break;
      const taken = await deps.deliveries.takeForQueue(channel, urgent, tenant, GROUP);
      const groups = groupsOf(taken, urgent);
      if (groups.length > 0) await deps.deliveryQueue.add(channel, groups);
      left -= Math.max(1, groups.length);
      fed += taken.length;
    }
  }
  return fed;
}

/** Rows that saw a crash go alone, so that one of them can't take innocent ones along. */
function groupsOf(taken: readonly { id: string; suspect: boolean }[], urgent: boolean): DeliveryGroup[] {
  const calm = taken.filter((row) => !row.suspect).map((row) => row.id);
  const suspects = taken.filter((row) => row.suspect).map((row) => ({ ids: [row.id], urgent }));
  return calm.length > 0 ? [{ ids: calm, urgent }, ...suspects] : suspects;
}

async function depthOrFull({ deliveryQueue }: Deps, channel: Channel): Promise<{ urgent: number; bulk: number }> {
  return deliveryQueue.depth(channel).catch(() => ({ urgent: WINDOW.urgent, bulk: WINDOW.bulk }));
}
