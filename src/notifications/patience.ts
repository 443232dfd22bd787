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
const PATIENCE_MS = 1_000;
/** One that moves is waited for at most so long: the fan-out's place is needed for others. */
const LONGEST_MS = 3_000;
const ASKED_EVERY_MS = 100;
/** So long nobody in this process waits for a channel that stood still. */
const STANDS_STILL_MS = 10_000;
const standsStillUntil = new WeakMap<DeliveryStore, Map<Channel, number>>();
/** Of a process's fan-outs so many may wait at once: the others are free for those who need not. */
const MOST_WAITING = 6;
let waitingNow = 0;

/**
 * Channels whose window has room for these rows. For bulk a full window is waited for as long as it moves: a row that is
 * put on its queue when it is made saves the write that would do it later. What isn't worth waiting for is remembered in
 * `slow` for the rest of the fact's turn, and what doesn't move at all for other facts too.
 */
export async function roomInTime(deps: Deps, rows: readonly Delivery[], slow: Set<Channel>): Promise<Set<Channel>> {
  let room = await enqueue.room(deps, rows);
  const open = () => new Set([...room].filter(([, groups]) => groups > 0).map(([channel]) => channel));
  if (!deps.pause || rows[0]?.urgent || waitingNow >= MOST_WAITING) return open();
  const now = () => deps.clock.now().getTime();
  const from = now();
  const best = new Map([...room].map(([channel, groups]) => [channel, { groups, at: from }]));
  const still = standsStillUntil.get(deps.deliveries) ?? new Map<Channel, number>();
  standsStillUntil.set(deps.deliveries, still);
  for (const [channel, until] of still) if (until > from) slow.add(channel);
  const missing = () => [...room].filter(([channel, groups]) => groups <= 0 && !slow.has(channel));
  waitingNow += 1;
  try {
    while (missing().length > 0 && now() < from + LONGEST_MS) {
      await deps.pause(ASKED_EVERY_MS);
      room = await enqueue.room(deps, rows);
      for (const [channel, groups] of missing()) {
        const known = best.get(channel);
        if (!known || groups > known.groups) best.set(channel, { groups, at: now() });
        else if (now() >= known.at + PATIENCE_MS) {
          slow.add(channel);
          still.set(channel, now() + STANDS_STILL_MS);
        }
      }
    }
  } finally {
    waitingNow -= 1;
  }
  for (const [channel] of missing()) slow.add(channel);
  return open();
}
