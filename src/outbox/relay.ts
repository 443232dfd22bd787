import type { FactLane, FactQueue, FactStore, PendingFact } from './ports.ts';

/** Jobs that a fact queue holds: the queue is first in, first out, so a tenant waits behind at most so many of others. */
const QUEUE_CAPACITY = 100;

/**
 * Hands the facts of one lane on to the queue, tenants in turn, until none is pending or the queue holds enough. A fact
 * is marked after the queue has it: a crash between the two hands it on twice, which is harmless. Any number of relays
 * may run.
 * @returns whether there may be more than the queue takes now
 */
export async function relayFacts(deps: { facts: FactStore; factQueue: FactQueue }, lane: FactLane): Promise<boolean> {
  for (;;) {
    const room = QUEUE_CAPACITY - (await deps.factQueue.depth())[lane];
    if (room <= 0) return true;
    const pending = await deps.facts.pending(lane, room);
    if (pending.length > 0) {
      await deps.factQueue.handOn(pending);
      await deps.facts.markHandedOn(pending.map((fact) => fact.id));
    }
    if (pending.length < room) return false;
  }
}

/**
 * Queues facts right after their commit while the queue has capacity. Never rejects: the relay's poll finds the facts that
 * stayed behind, and queueing a fact twice is harmless.
 */
export async function publishRecorded(queue: FactQueue, facts: readonly PendingFact[]): Promise<void> {
  try {
    const depth = await queue.depth();
    const lanes = { urgent: facts.filter(({ urgent }) => urgent), bulk: facts.filter(({ urgent }) => !urgent) };
    await queue.handOn([
      ...lanes.urgent.slice(0, Math.max(0, QUEUE_CAPACITY - depth.urgent)),
      ...lanes.bulk.slice(0, Math.max(0, QUEUE_CAPACITY - depth.bulk)),
    ]);
  } catch {}
}

/** How long after being handed on a fact's wake-up counts as lost: while the queue holds nothing, and while it does. */
const LOST_AFTER_MS = { idle: 2_000, busy: 60_000 } as const;

/**
 * Facts whose wake-up was lost (Redis emptied or restarted) become pending again. One that is only slow is handed on once
 * more too, which its job's id makes nothing of. @returns how many
 */
export async function reopenLostFacts(deps: { facts: FactStore; factQueue: FactQueue }): Promise<number> {
  const { urgent, bulk, active, later } = await deps.factQueue.depth();
  return deps.facts.reopenUnfinished(LOST_AFTER_MS[urgent + bulk + active + later === 0 ? 'idle' : 'busy']);
}
