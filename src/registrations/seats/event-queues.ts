import { busy } from '../../core/errors.ts';
import { type Scope, scopeKey } from '../../people/caller.ts';
import type { EventQueueDeps, EventQueues } from '../ports.ts';
import { decideGroup, type QueuedRequest } from './decide-group.ts';

/** The most requests that one transaction decides, counted by the rows they need. */
const GROUP = 200;
/** High-water mark of one event queue; further requests are answered `busy`. */
const QUEUE_LIMIT = 4_000;
/** After a write conflict a queue pauses for up to this long after each group, so that other processes get their turn. */
const YIELD_MS = 6;
/** For how many groups it does so. */
const YIELD_GROUPS = 20;

type EventQueue = { scope: Scope; event_id: string; waiting: QueuedRequest[] };

/**
 * Opens one queue per event in this process: requests about one event are decided in order, up to 200 in a transaction,
 * while the next ones gather. Queues of different events run in parallel; processes compete for the event's row and yield to
 * each other after a write conflict.
 */
export function openEventQueues(deps: EventQueueDeps): EventQueues {
  const queues = new Map<string, EventQueue>();
  return {
    submit: (scope, event_id, request, recordReply) =>
      new Promise((resolve, reject) => {
        const key = `${scopeKey(scope)} ${event_id}`;
        let queue = queues.get(key);
        if (queue && queue.waiting.length >= QUEUE_LIMIT) {
          reject(busy('Too many people are registering for this event at the moment. Try again in a second.'));
          return;
        }
        const queued = { request, recordReply, resolve, reject } as QueuedRequest;
        if (queue) {
          queue.waiting.push(queued);
          return;
        }
        queue = { scope, event_id, waiting: [queued] };
        queues.set(key, queue);
        void run(deps, queue, () => queues.delete(key));
      }),
  };
}

/** Runs until the queue is empty. Never rejects: errors reject the requests they concern. */
async function run(deps: EventQueueDeps, queue: EventQueue, remove: () => void): Promise<void> {
  let last: number | null = null;
  let yields = 0;
  let event = queue.waiting[0]?.request.event;
  do {
    // Let the requests that this turn of the event loop still reads from sockets join the group.
    await new Promise((resolve) => setImmediate(resolve));
    const group = nextGroup(queue.waiting);
    const { version, hadConflict } = await decideGroup(deps, queue, group, { isContended: yields > 0, event });
    event = undefined;
    if (hadConflict || (last !== null && version !== null && version - last > 1)) yields = YIELD_GROUPS;
    last = version;
    if (yields > 0 && queue.waiting.length > 0) {
      yields -= 1;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * YIELD_MS));
    }
  } while (queue.waiting.length > 0);
  // In the same turn as the check above: no request may join a queue that has ended.
  remove();
}

function nextGroup(waiting: QueuedRequest[]): QueuedRequest[] {
  let size = 0;
  let count = 0;
  for (const { request } of waiting) {
    size += Math.max(1, (request.needs.ids?.length ?? 0) + (request.needs.user_ids?.length ?? 0));
    if (count > 0 && size > GROUP) break;
    count += 1;
  }
  return waiting.splice(0, count);
}
