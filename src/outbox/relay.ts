import { ofPriority, PRIORITIES } from '../core/priority.ts';
import type { FactQueue, FactStore, UnpublishedFact } from './ports.ts';

/**
 * High-water mark of a fact queue. The queue is first in, first out: a tenant waits behind at most this many jobs of others.
 */
const QUEUE_CAPACITY = 100;
/** How long after publication a wake-up counts as lost: sooner if the queue is empty, because then no job can be waiting. */
const LOST_AFTER_MS = { idle: 2_000, busy: 60_000 } as const;

type Deps = { facts: FactStore; factQueue: FactQueue };

/**
 * Publishes outbox entries to the queues, urgent ones first, as many as have capacity. An entry is marked as published after
 * its queue has accepted it: a crash in between publishes it twice, which is harmless. Any number of relays may run.
 * @returns whether unpublished entries may be left
 */
export async function relayFacts(deps: Deps): Promise<boolean> {
  let areLeft = false;
  for (const priority of PRIORITIES) {
    const capacity = Math.max(0, QUEUE_CAPACITY - (await deps.factQueue.countWaiting(priority)));
    const facts = await deps.facts.findUnpublished(priority, capacity);
    if (facts.length > 0) {
      await deps.factQueue.publish(facts);
      await deps.facts.markPublished(facts.map((fact) => fact.id));
    }
    areLeft ||= facts.length === capacity;
  }
  return areLeft;
}

/**
 * Marks facts as unpublished again if their wake-up was lost because Redis was emptied or restarted. A fact that is only
 * slow is published twice, and the queue drops the second job by its id. @returns how many
 */
export async function reopenLostFacts(deps: Deps): Promise<number> {
  return deps.facts.reopenUnprocessed(LOST_AFTER_MS[(await deps.factQueue.isIdle()) ? 'idle' : 'busy']);
}

/**
 * Publishes facts right after their commit while the queue has capacity. If the queue can't be reached, or has no capacity,
 * the relay's poll publishes the facts that are left; publishing a fact twice is harmless.
 */
export async function publishRecorded(queue: FactQueue, facts: readonly UnpublishedFact[]): Promise<void> {
  for (const priority of PRIORITIES) {
    const some = ofPriority(priority, facts);
    if (some.length === 0) continue;
    const capacity = QUEUE_CAPACITY - (await queue.countWaiting(priority));
    if (capacity > 0) await queue.publish(some.slice(0, capacity));
  }
}
