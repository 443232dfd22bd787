import { createPrioritySemaphore, type PrioritySemaphore } from '../../core/priority.ts';
import type { ChannelAdapter } from '../ports.ts';

/** The concurrency limits of one process for one channel: the backpressure of the delivery path. */
export type Capacity = {
  /** units leased together */
  groupSize: number;
  /** units that are leased and wait for a connection, prepared while others are sent */
  prepared: PrioritySemaphore;
  /** messages from `sending` until their result is written: after a kill at most these are in an unknown state */
  connections: PrioritySemaphore;
};

/** Units in one lease, if the channel's capacity allows. */
const GROUP = 20;
/** Prepared units per connection, so that connections stay busy while rows are leased and recorded. */
const PREPARED = 2;
/** One connection in ten, and at least one, is reserved for urgent messages: hanging bulk messages hold all others. */
const RESERVED_ONE_IN = 10;
/** With fewer connections bulk may use all of them, and urgent messages get an additional one. */
const RESERVED_FROM = 4;

/** @param perSecond a low rate limits the group size, because large groups would delay urgent messages for seconds */
export function capacityOf({ capacity, chunk }: ChannelAdapter, perSecond: number | null = null): Capacity {
  const total = capacity < RESERVED_FROM ? capacity + 1 : capacity;
  const reserved = Math.max(1, Math.floor(total / RESERVED_ONE_IN));
  const bulk = total - reserved;
  const atRate = perSecond === null ? bulk : Math.max(1, Math.floor(perSecond / 20));
  return {
    groupSize: Math.min(bulk, atRate, Math.max(GROUP, chunk)),
    prepared: createPrioritySemaphore(total * PREPARED, reserved),
    connections: createPrioritySemaphore(total, reserved),
  };
}

/** How many units may be leased together now; if 0, `waitMs` until a provider may be available. */
export function groupSizeNow({
  adapter,
  groupSize,
  urgent,
}: Pick<Capacity, 'groupSize'> & { adapter: ChannelAdapter; urgent?: boolean }): { size: number; waitMs: number } {
  const availability = adapter.availability?.(urgent) ?? 'all';
  if (typeof availability === 'number') return { size: 0, waitMs: availability };
  return { size: availability === 'all' ? groupSize : 1, waitMs: 0 };
}

/**
 * Creates a lock that skips work instead of waiting.
 * @returns a function that runs `work` unless other work is running, and says if it ran
 */
export function createTryLock(): (work: () => Promise<void>) => Promise<boolean> {
  let isLocked = false;
  return async (work) => {
    if (isLocked) return false;
    isLocked = true;
    try {
      await work();
      return true;
    } finally {
      isLocked = false;
    }
  };
}
