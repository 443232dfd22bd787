import { chunksOf } from '../../core/chunks-of.ts';
import { groupBy } from '../../core/group-by.ts';
import { PRIORITIES, type Priority } from '../../core/priority.ts';
import type { Delivery } from '../delivery.ts';
import { CHANNELS, type Channel } from '../policy/trigger.ts';
import type { DeliveryGroup, DeliveryQueue, DeliveryStore } from '../ports.ts';

/** Ids in one job. */
const GROUP = 200;
/** Of those that saw a crash: a job sends some of them and gives the others back, which is written twice for each. */
const SUSPECTS = 50;
/**
 * High-water mark per channel and priority: about a second of work, refilled from MongoDB round robin over tenants, so
 * that a flood of one tenant waits in MongoDB and not ahead of the others.
 */
const WINDOW = { urgent: 30, bulk: 20 } as const;
/** Groups of one channel that Redis holds for the moment they are due, and how long before that. */
const AHEAD = { groups: 75, ms: 15_000 } as const;
/** A row that was queued longer ago than this, while the queue of its priority is empty, has lost its wake-up. */
const LOST_AFTER_MS = 2_000;

type Deps = { deliveries: DeliveryStore; deliveryQueue: DeliveryQueue };

/** Queues fresh rows while the channel's queue has capacity; the others stay in MongoDB for `feed`. */
export const enqueue = {
  /** @returns the channels of these rows (all urgent or none) whose queue has capacity */
  async channelsWithCapacity(deps: Deps, rows: readonly Delivery[]): Promise<Set<Channel>> {
    const room = new Set<Channel>();
    const priority = rows[0]?.urgent ? 'urgent' : 'bulk';
    for (const channel of new Set(rows.filter((row) => row.status === 'waiting').map((row) => row.channel)))
      if ((await depthOrFull(deps, channel))[priority] < WINDOW[priority]) room.add(channel);
    return room;
  },

  /** Channels that take more of what is due in a moment. */
  async channelsWithDelayedCapacity(deps: Deps, rows: readonly Delivery[], now: Date): Promise<Set<Channel>> {
    const room = new Set<Channel>();
    for (const channel of new Set(rows.filter((row) => isAhead(row, now)).map((row) => row.channel)))
      if ((await depthOrFull(deps, channel)).later < AHEAD.groups) room.add(channel);
    return room;
  },

  /**
   * When these count as queued: now, for what is due and for which there is room; when it is due, for what is put on its
   * queue before, so that nobody looks for it earlier; not yet, for all others.
   */
  dated(rows: readonly Delivery[], room: ReadonlySet<Channel>, ahead: ReadonlySet<Channel>, now: Date): Delivery[] {
    return rows.map((row) => {
      if (row.status === 'waiting' && row.due_at <= now)
        return room.has(row.channel) ? { ...row, queued_at: now } : row;
      return isAhead(row, now) && ahead.has(row.channel) ? { ...row, queued_at: row.due_at } : row;
    });
  },

  /** Rows of one fact. A queue that can't be reached costs nothing but time: they are there, and `feed` finds them. */
  async rows(deps: Deps, rows: readonly Delivery[], now: Date): Promise<void> {
    for (const channel of CHANNELS) {
      const ofChannel = rows.filter((row) => row.channel === channel);
      if (ofChannel.length === 0) continue;
      const groups = groupBy(ofChannel, ({ due_at }) => String(Math.max(0, +due_at - +now)));
      await deps.deliveryQueue
        .add(
          channel,
          groups.flatMap((some) => jobsOf(some, now)),
        )
        .catch(() => {});
    }
  },
};

/** Due, but not yet: soon enough to lie on its queue until then. */
const isAhead = ({ status, due_at }: Delivery, now: Date): boolean =>
  status === 'waiting' && due_at > now && +due_at <= +now + AHEAD.ms;

/** Rows that are due in one moment. */
function jobsOf(rows: readonly Delivery[], now: Date): DeliveryGroup[] {
  return chunksOf(rows, GROUP).map((some) => {
    const { urgent = false, tenant_id = '', due_at = now } = some[0] ?? {};
    const later = due_at > now ? { afterMs: +due_at - +now } : {};
    return { ids: some.map((row) => row.id), urgent, tenant_id, ...later };
  });
}

/**
 * Tops the window of each channel up from MongoDB: what is urgent on any of them first, tenants in turn, a group each.
 * Also requeues rows whose wake-up was lost: an empty queue can't hold their ids. If nothing waits, a call costs one query
 * per priority, because it runs all the time.
 * @returns how many ids were put on queues
 */
export async function feed(deps: Deps): Promise<number> {
  const held = await Promise.all(
    CHANNELS.map(async (channel) => ({ channel, depth: await deps.deliveryQueue.depth(channel) })),
  );
  for (const priority of PRIORITIES) {
    const channels = held.filter(({ depth }) => depth[priority] === 0).map(({ channel }) => channel);
    if (channels.length > 0) await deps.deliveries.requeueLost(channels, priority === 'urgent', LOST_AFTER_MS);
  }
  let fed = 0;
  for (const priority of PRIORITIES) {
    if (!(await deps.deliveries.isAnyWaiting(CHANNELS, priority === 'urgent'))) continue;
    for (const { channel, depth } of held)
      fed += await refillPriority(deps, channel, priority, WINDOW[priority] - depth[priority]);
  }
  return fed;
}

/** Whose turn it was last, and who had one since the window was last full, by channel and priority. */
type Turns = { last: string; sinceFull: Set<string> };
const turnsOf = new WeakMap<object, Map<string, Turns>>();

function turns({ deliveries }: Deps, key: string): Turns {
  const ofStore = turnsOf.get(deliveries) ?? new Map<string, Turns>();
  turnsOf.set(deliveries, ofStore);
  const known = ofStore.get(key) ?? { last: '', sinceFull: new Set() };
  ofStore.set(key, known);
  return known;
}

async function refillPriority(deps: Deps, channel: Channel, priority: Priority, room: number): Promise<number> {
  const turn = turns(deps, `${channel} ${priority}`);
  const urgent = priority === 'urgent';
  if (room > 0) turn.sinceFull.clear();
  let left = room;
  let fed = 0;
  for (;;) {
    const waiting = await deps.deliveries.tenantsWaiting(channel, urgent);
    // A full window is somebody's flood: who has no part in it gets one group all the same.
    const tenants = inTurn(waiting, turn.last).filter((tenant) => left > 0 || !turn.sinceFull.has(tenant));
    if (tenants.length === 0) return fed;
    for (const tenant of tenants) {
      if (left <= 0 && turn.sinceFull.has(tenant)) continue;
      const taken = await deps.deliveries.takeForQueue(channel, urgent, tenant, GROUP);
      const groups = groupsOf(taken, urgent, tenant);
      if (groups.length > 0) await deps.deliveryQueue.add(channel, groups);
      turn.last = tenant;
      turn.sinceFull.add(tenant);
      left -= Math.max(1, groups.length);
      fed += taken.length;
    }
  }
}

/** Those after the last one first. */
const inTurn = (tenants: readonly string[], last: string): string[] => [
  ...tenants.filter((tenant) => tenant > last),
  ...tenants.filter((tenant) => tenant <= last),
];

/** Rows that saw a crash go apart from the others, and are sent one by one. */
function groupsOf(
  taken: readonly { id: string; suspect: boolean }[],
  urgent: boolean,
  tenant_id: string,
): DeliveryGroup[] {
  const idsOf = (suspect: boolean) => taken.filter((row) => row.suspect === suspect).map((row) => row.id);
  const plain = idsOf(false);
  const groups = [...(plain.length > 0 ? [plain] : []), ...chunksOf(idsOf(true), SUSPECTS)];
  return groups.map((ids) => ({ ids, urgent, tenant_id }));
}

async function depthOrFull({ deliveryQueue }: Deps, channel: Channel) {
  return deliveryQueue.depth(channel).catch(() => ({ ...WINDOW, later: AHEAD.groups }));
}
