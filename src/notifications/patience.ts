import type { Clock } from '../kernel/clock.ts';
import type { Delivery } from './delivery.ts';
import { enqueue } from './enqueue.ts';
import type { DeliveryQueue, DeliveryStore } from './ports.ts';
import type { Channel } from './trigger.ts';

type Deps = {
  clock: Clock;
  deliveries: DeliveryStore;
  deliveryQueue: DeliveryQueue;
  /** waits; without it nobody does */
  pause?(ms: number): Promise<void>;
};

/** A channel that works off less than a group in this time is slower than a fan-out may wait for. */
const PATIENCE_MS = 500;
const ASKED_EVERY_MS = 20;
/** Of a process's fan-outs so many may wait at once: the others are free for what is urgent. */
const MOST_WAITING = 4;
let waitingNow = 0;

/**
 * Channels whose window has room for these rows. For bulk a full window is waited for as long as it moves: a row that is
 * put on its queue when it is made saves the write that would do it later. What isn't worth waiting for is remembered in
 * `slow` for the rest of the fact.
 */
export async function roomInTime(deps: Deps, rows: readonly Delivery[], slow: Set<Channel>): Promise<Set<Channel>> {
  let room = await enqueue.room(deps, rows);
  if (!deps.pause || rows[0]?.urgent || waitingNow >= MOST_WAITING) return room;
  const wanted = new Set(rows.filter((row) => row.status === 'waiting').map((row) => row.channel));
  const missing = () => [...wanted].filter((channel) => !room.has(channel) && !slow.has(channel));
  const until = deps.clock.now().getTime() + PATIENCE_MS;
  waitingNow += 1;
  try {
    while (missing().length > 0 && deps.clock.now().getTime() < until) {
      await deps.pause(ASKED_EVERY_MS);
      room = await enqueue.room(deps, rows);
    }
  } finally {
    waitingNow -= 1;
  }
  for (const channel of missing()) slow.add(channel);
  return room;
}
