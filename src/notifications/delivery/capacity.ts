import { createPrioritySemaphore, type PrioritySemaphore } from '../../core/priority.ts';
import type { ChannelAdapter } from '../channel-adapter.ts';

/** The concurrency limits of one process for one channel: the backpressure of the delivery path. */
export type Capacity = {
  /** units leased together */
  batchSize: number;
  /** units that are leased and wait for a connection, prepared while others are sent */
  prepared: PrioritySemaphore;
  /** messages from `sending` until their result and the next mark are written: after a kill at most these are unknown */
  connections: PrioritySemaphore;
  /** runs the work unless such work is running; says whether it ran: suspected poison messages are sent one at a time */
  runExclusively(work: () => Promise<void>): Promise<boolean>;
};

/** The providers of a channel, and the end of the process that waits for them. */
export type ProviderDeps = {
  adapter: ChannelAdapter;
  /** Waits; resolves early if the process is stopping. */
  pause(ms: number): Promise<void>;
  /** Whether the process is stopping: messages without a connection are released. */
  isStopping(): boolean;
};

/** Units in one lease for each connection: their events, consent and history are read by the same few queries. */
const BATCH = 6;
/** Prepared units per connection, so that connections stay busy while rows are leased and recorded. */
const PREPARED = BATCH + 2;
/** One connection in ten, and at least one, is reserved for urgent messages: hanging bulk messages hold all others. */
const RESERVED_ONE_IN = 10;
/** With fewer connections bulk may use all of them, and urgent messages get an additional one. */
const RESERVED_FROM = 4;

/** @param perSecond a low rate limits the batch size, because large batches would delay urgent messages for seconds */
export function capacityOf({ capacity }: ChannelAdapter, perSecond: number | null = null): Capacity {
  const total = capacity < RESERVED_FROM ? capacity + 1 : capacity;
  const reserved = Math.max(1, Math.floor(total / RESERVED_ONE_IN));
  const bulk = total - reserved;
  const atRate = perSecond === null ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(perSecond / 20));
  return {
    batchSize: Math.min(bulk * BATCH, atRate),
    prepared: createPrioritySemaphore(total * PREPARED, reserved),
    connections: createPrioritySemaphore(total, reserved),
    runExclusively: createTryLock(),
  };
}

/** How often an unavailable provider is checked, at most. */
const CHECK_PROVIDER_MS = 1_000;

/**
 * Waits until a provider is available.
 * @param urgent urgent deliveries may probe a provider earlier
 * @returns how many units may be started together; 0 if the process is stopping
 */
export async function waitForProvider(
  { adapter, batchSize, ...deps }: ProviderDeps & Pick<Capacity, 'batchSize'>,
  urgent: boolean,
): Promise<number> {
  while (!deps.isStopping()) {
    const availability = adapter.availability?.(urgent) ?? 'all';
    if (availability === 'all') return batchSize;
    if (availability === 'one') return 1;
    await deps.pause(Math.min(availability, CHECK_PROVIDER_MS));
  }
  return 0;
}

/** A lock that skips work instead of waiting. */
function createTryLock(): Capacity['runExclusively'] {
  let isLocked = false;
  return async (work) => {
    if (isLocked) return false;
    isLocked = true;
    await work().finally(() => {
      isLocked = false;
    });
    return true;
  };
}
