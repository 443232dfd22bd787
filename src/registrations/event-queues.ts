import { Refused } from '../core/errors.ts';
import type { Scope } from '../people/caller.ts';
import { type Asked, decideGroup } from './decide-group.ts';
import type { EventQueueDeps, EventQueues } from './ports.ts';

/** Requests decided in one transaction, counted by what they need. */
export const GROUP = 200;
/** Requests that may wait in one lane; more are answered `busy`. */
export const LANE_LIMIT = 4_000;
/** A lane that met others leaves the event alone for up to this long after each group. */
const GIVE_WAY_MS = 6;
/** For how many groups it does so. */
const GIVE_WAY_FOR = 20;

type Lane = { scope: Scope; event_id: string; waiting: Asked[] };

/**
 * One lane per event in this process (delivery.md, "Hot events"): requests about one event are decided in the order they
 * came, up to 200 in a transaction, while the next ones gather. EventQueues of different events run side by side; those of
 * several processes compete for the event's row, and each gives way after it has met others.
 */
export function openEventQueues(deps: EventQueueDeps, { limit = LANE_LIMIT }: { limit?: number } = {}): EventQueues {
  const lanes = new Map<string, Lane>();
  return {
    ask: (scope, event_id, request, keep) =>
      new Promise((resolve, reject) => {
        const key = `${scope.tenant_id}\n${scope.school_id}\n${event_id}`;
        let lane = lanes.get(key);
        if (lane && lane.waiting.length >= limit) {
          const detail = 'too many registrations of this event are waiting';
          reject(new Refused({ code: 'busy', detail, retryAfter: 1 }));
          return;
        }
        const asked = { request, keep, resolve, reject } as Asked;
        if (lane) {
          lane.waiting.push(asked);
          return;
        }
        lane = { scope, event_id, waiting: [asked] };
        lanes.set(key, lane);
        void run(deps, lane, () => lanes.delete(key));
      }),
  };
}

/** Until nobody waits. Never rejects: whatever goes wrong is the answer to those it concerns. */
async function run(deps: EventQueueDeps, lane: Lane, done: () => void): Promise<void> {
  let last: number | null = null;
  let giveWay = 0;
  do {
    // Whatever was read from sockets in this turn comes along.
    await new Promise((resolve) => setImmediate(resolve));
    const { version, met } = await decideGroup(deps, lane.scope, lane.event_id, nextOf(lane.waiting), giveWay > 0);
    if (met || (last !== null && version !== null && version - last > 1)) giveWay = GIVE_WAY_FOR;
    last = version;
    if (giveWay > 0 && lane.waiting.length > 0) {
      giveWay -= 1;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * GIVE_WAY_MS));
    }
  } while (lane.waiting.length > 0);
  // In the same turn as the question whether anybody waits: nobody may join a lane that has ended.
  done();
}

function nextOf(waiting: Asked[]): Asked[] {
  let size = 0;
  let count = 0;
  for (const { request } of waiting) {
    size += Math.max(1, (request.needs.ids?.length ?? 0) + (request.needs.user_ids?.length ?? 0));
    if (count > 0 && size > GROUP) break;
    count += 1;
  }
  return waiting.splice(0, count);
}
