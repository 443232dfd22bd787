import type { FactQueue, FactStore } from './ports.ts';

const BATCH = 500;

/**
 * Hands facts on to the queue, oldest first, until none is pending. A fact is marked after the queue has it: a crash
 * between the two hands it on twice, which is harmless. Any number of relays may run.
 * @returns how many were handed on
 */
export async function relayFacts(deps: { facts: FactStore; factQueue: FactQueue }): Promise<number> {
  let total = 0;
  for (;;) {
    const pending = await deps.facts.pending(BATCH);
    if (pending.length === 0) return total;
    await deps.factQueue.handOn(pending);
    await deps.facts.markHandedOn(pending.map((fact) => fact.id));
    total += pending.length;
    if (pending.length < BATCH) return total;
  }
}

/** How long after being handed on a fact's wake-up counts as lost: while the queue holds nothing, and while it does. */
const LOST_AFTER_MS = { idle: 2_000, busy: 60_000 } as const;

/**
 * Facts whose wake-up was lost (Redis emptied or restarted) become pending again. One that is only slow is handed on once
 * more too, which its job's id makes nothing of. @returns how many
 */
export async function reopenLostFacts(deps: { facts: FactStore; factQueue: FactQueue }): Promise<number> {
  const idle = await deps.factQueue.isIdle();
  return deps.facts.reopenUnfinished(LOST_AFTER_MS[idle ? 'idle' : 'busy']);
}
