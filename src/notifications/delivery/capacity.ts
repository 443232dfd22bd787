import { createPrioritySemaphore, type PrioritySemaphore } from '../../core/priority-semaphore.ts';
import type { ChannelAdapter } from '../ports.ts';

/** How much one process does at once for one channel: the backpressure of the delivery path. */
export type Capacity = {
  /** units leased together */
  groupSize: number;
  /** units that are leased and wait for a connection: what makes the next messages ready while others are sent */
  prepared: PrioritySemaphore;
  /** messages from `sending` until their result is written next: no more than these are in doubt after a kill */
  connections: PrioritySemaphore;
};

/** Units in one lease, if the channel takes as many. */
const GROUP = 20;
/** Connections are kept busy while rows are leased and recorded, if so many times their number are prepared. */
const PREPARED = 2;
/** One connection in ten, and at least one, is reserved for urgent messages: hanging bulk messages hold all others. */
const RESERVED_ONE_IN = 10;
/** Of fewer connections bulk gets all, and an urgent message may have one more. */
const A_FEW = 4;

/** @param perSecond at a low rate, large groups would keep urgent messages, or another tenant's, waiting for seconds */
export function capacityOf({ capacity, chunk }: ChannelAdapter, perSecond: number | null = null): Capacity {
  const total = capacity < A_FEW ? capacity + 1 : capacity;
  const reserved = Math.max(1, Math.floor(total / RESERVED_ONE_IN));
  const bulk = total - reserved;
  const atRate = perSecond === null ? bulk : Math.max(1, Math.floor(perSecond / 20));
  return {
    groupSize: Math.min(bulk, atRate, Math.max(GROUP, chunk)),
    prepared: createPrioritySemaphore(total * PREPARED, reserved),
    connections: createPrioritySemaphore(total, reserved),
  };
}

/** How many units may be leased together now; 0 with the time until a provider may take messages again. */
export function groupSizeNow({
  adapter,
  groupSize,
  urgent,
}: Pick<Capacity, 'groupSize'> & { adapter: ChannelAdapter; urgent?: boolean }): { size: number; waitMs: number } {
  const room = adapter.availability?.(urgent) ?? 'all';
  if (typeof room === 'number') return { size: 0, waitMs: room };
  return { size: room === 'all' ? groupSize : 1, waitMs: 0 };
}
