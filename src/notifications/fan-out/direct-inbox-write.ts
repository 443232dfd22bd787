import { newId } from '../../core/ids.ts';
import type { Outgoing } from '../content/message.ts';
import { type EvaluateDeps, evaluate } from '../delivery/evaluate.ts';
import type { Delivery } from '../delivery.ts';
import type { Occasion } from '../policy/draft-deliveries.ts';
import type { DeliveryResult, NewInboxEntry } from '../ports.ts';
import type { EndedDelivery, InboxLocks } from './inbox-lock.ts';

export type DirectInboxDeps = EvaluateDeps & {
  inboxLocks: InboxLocks;
  entryOf(message: Outgoing, created_at: Date): NewInboxEntry;
  report(result: DeliveryResult, delivery: Delivery): void;
};

/** For fewer rows the queue costs no more; for this many it costs a third more CPU, all processes together. */
const MIN_ROWS = 10;
/** A batch whose gate was asked longer ago than this goes to the queue, where the gate is asked again. */
const EVALUATED_WITHIN_MS = 4_000;

/** Direct inbox writes for one fact, during one turn of its fan-out. */
export type DirectInbox = {
  /** Sends what it can of the rows. @returns the rows that are left for the queue */
  write(rows: Delivery[], optOuts: ReadonlyMap<string, readonly string[]>): Promise<Delivery[]>;
  end(): Promise<void>;
};

/**
 * Writes in-app messages and their rows in one transaction, without queue and lease: an inbox needs no provider, and a
 * message never exists without its row. Asks the same gate as every other message, for each batch and only while the lock
 * is held, so that a later fact of the event can revoke the lock before its own messages go out. Leaves to the queue: all
 * messages that can't be rendered, all rows that exist, and every batch of a fact that another process works on or died at.
 */
export function openDirectInbox(deps: DirectInboxDeps, { fact, event, school }: Occasion): DirectInbox {
  const lock = { fact_id: fact.id, event_id: event.id, by: newId() };
  // Facts never change, and the school may be as old as this turn. The gate also reads facts of earlier announcements.
  const evaluateDeps: EvaluateDeps = {
    ...deps,
    facts: { find: async (id) => (id === fact.id ? fact : deps.facts.find(id)), findMany: async () => [fact] },
    schools: { find: async () => school },
  };
  let acquired: Promise<boolean> | null = null;
  return {
    async write(rows, optOuts) {
      const from = deps.clock.now();
      const direct = rows.filter((row) => isDirect(row, from));
      if (direct.length < MIN_ROWS) return rows;
      acquired ??= deps.inboxLocks.acquire(lock);
      if (!(await acquired)) return rows;
      const { ended, entries } = await evaluated(deps, evaluateDeps, direct, optOuts);
      const isLate = deps.clock.now().getTime() - from.getTime() > EVALUATED_WITHIN_MS;
      if (ended.size === 0 || isLate) return rows;
      if (!(await deps.inboxLocks.write(lock, [...ended.values()], entries))) return rows;
      for (const one of ended.values()) deps.report(resultOf(one), one.row);
      return rows.filter((row) => !ended.has(row.id));
    },
    async end() {
      if (await acquired) await deps.inboxLocks.release(lock);
    },
  };
}

const isDirect = ({ channel, status, urgent, due_at }: Delivery, at: Date): boolean =>
  channel === 'in_app' && status === 'waiting' && !urgent && due_at <= at;

async function evaluated(
  { clock, entryOf }: DirectInboxDeps,
  evaluateDeps: EvaluateDeps,
  rows: readonly Delivery[],
  optOuts: ReadonlyMap<string, readonly string[]>,
) {
  const ended = new Map<string, EndedDelivery>();
  const entries: NewInboxEntry[] = [];
  const decisions = await evaluate(evaluateDeps, rows, { wishes: optOuts, suppressed: new Set() });
  const now = clock.now();
  for (const { row, stop, message } of decisions) {
    if (stop?.to === 'skipped') ended.set(row.id, { row, ended: { status: 'skipped', reason: stop.reason } });
    const entry = message && renderedEntry(message, now, entryOf);
    if (!entry) continue;
    entries.push(entry);
    ended.set(row.id, { row, ended: { status: 'sent', attempts: 1 } });
  }
  return { ended, entries };
}

const resultOf = ({ row: { id }, ended: { reason } }: EndedDelivery): DeliveryResult =>
  reason ? { to: 'skipped', id, reason, detail: null } : { to: 'sent', id, provider_id: null, detail: null };

/** @returns null if the text can't be rendered: the in-app worker then records the error on the row */
function renderedEntry(message: Outgoing, at: Date, entryOf: DirectInboxDeps['entryOf']): NewInboxEntry | null {
  try {
    return entryOf(message, at);
  } catch {
    return null;
  }
}
