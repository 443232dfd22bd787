import { newId } from '../kernel/ids.ts';
import type { DeliverDeps } from './deliver.ts';
import type { Delivery } from './delivery.ts';
import { judge } from './judge.ts';
import type { Settlement } from './ports.ts';
import type { Tellings } from './tellings.ts';

export type AtOnceDeps = DeliverDeps & { tellings: Tellings };

/** Of fewer people the way over the queue costs as much. */
const WORTH_IT = 50;

/** Rows as they are to be stored, and what is to be called when they are. */
export type Told = { rows: Delivery[]; stored(): Promise<void> };

/**
 * Puts the in-app messages of one batch into the inboxes before their rows are stored, past queue and claim: an inbox
 * needs no provider, and takes the same message twice as one. Comes in: drafts of one fact. Guaranteed: the same gate as
 * for any other message, read after the telling was begun, so that a later word waits for it; what could not be told, and
 * all of a batch that somebody else is at or died at, waits for the queue as usual. May repeat.
 */
export async function tellAtOnce(
  deps: AtOnceDeps,
  drafts: Delivery[],
  wishes: ReadonlyMap<string, readonly string[]>,
): Promise<Told> {
  const direct = drafts.filter(
    ({ channel, status, urgent }) => channel === 'in_app' && status === 'waiting' && !urgent,
  );
  const [first] = direct;
  if (!first || direct.length < WORTH_IT) return { rows: drafts, stored: async () => {} };
  const by = newId();
  const stored = () => deps.tellings.end(first.fact_id, by);
  if (!(await deps.tellings.begin(first, by, deps.leaseMs))) return { rows: drafts, stored };
  const told = await tell(deps, direct, wishes);
  return { rows: drafts.map((row) => told.get(row.id) ?? row), stored };
}

async function tell(
  deps: AtOnceDeps,
  direct: readonly Delivery[],
  wishes: ReadonlyMap<string, readonly string[]>,
): Promise<Map<string, Delivery>> {
  const { adapter, clock } = deps;
  const ended = new Map<string, Delivery>();
  const judgements = await judge(deps, direct, { wishes, suppressed: new Set() });
  const ready = judgements.flatMap(({ row, message }) => (message ? [{ row, message }] : []));
  const messages = ready.map(({ message }) => message);
  const outcomes = messages.length > 0 ? await adapter.send(messages) : [];
  const end = (row: Delivery, settlement: Settlement, more: Partial<Delivery>) => {
    ended.set(row.id, { ...row, ...more, settled_at: clock.now() });
    deps.report(settlement, row);
  };
  for (const { row, stop } of judgements) {
    if (stop?.to === 'skipped') end(row, stop, { status: 'skipped', reason: stop.reason });
  }
  for (const [i, { row, message }] of ready.entries()) {
    if (outcomes[i]?.kind !== 'accepted') continue;
    const template_version = row.template_version ?? adapter.textVersion?.(message.content) ?? null;
    const settlement: Settlement = { to: 'sent', id: row.id, provider_id: null, detail: null };
    end(row, settlement, { status: 'sent', attempts: 1, fence: 1, template_version });
  }
  return ended;
}
