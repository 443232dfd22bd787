import { processInChunks } from '../../core/in-chunks.ts';
import type { TransactOnce, Tx } from '../../core/transaction.ts';
import type { EventDeps } from '../ports.ts';
import type { HeldChange } from './held-change.ts';

/** Ids loaded by one query. */
const ROUND = 500;
const CONCURRENCY = 3;

/**
 * Releases held changes that can't be undone any more: records their facts, which notify people, and updates the derived data
 * of their events. Any number of clocks may run; the transaction that ends a hold records its facts. Then signals open pages.
 * @returns how many were released
 */
export async function releaseDue(
  deps: EventDeps & { transactOnce: TransactOnce },
  signal?: AbortSignal,
): Promise<number> {
  const due = await deps.heldChanges.findDue(ROUND);
  const options = { size: 1, concurrency: CONCURRENCY, ...(signal ? { signal } : {}) };
  const changed: string[] = [];
  const released = await processInChunks(
    deps,
    due,
    async ([id], tx) => {
      const change = await deps.heldChanges.close(String(id), 'released', tx);
      if (!change) return 0;
      await release(deps, change, tx);
      changed.push(...change.events.map((event) => event.id));
      return 1;
    },
    options,
  );
  if (changed.length > 0) await deps.events.clearHolds(changed);
  return released;
}

async function release(deps: EventDeps, change: HeldChange, tx: Tx): Promise<void> {
  if (change.facts.length > 0) await deps.facts.record(change.facts, tx);
  const ids = change.events.map((event) => event.id);
  const events = ids.length > 0 ? await deps.events.findWithDeleted(change, ids, tx) : [];
  if (events.length > 0)
    await deps.onEventsChanged(
      events.map((event) => ({ before: event, after: event })),
      tx,
    );
}
