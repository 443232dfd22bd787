import { newId } from '../../core/ids.ts';
import type { Outgoing } from '../content/message.ts';
import { type EvaluateDeps, evaluate } from '../delivery/evaluate.ts';
import type { Delivery } from '../delivery.ts';
import type { Occasion } from '../policy/draft-deliveries.ts';
import type { DeliveryResult, NewInboxEntry } from '../ports.ts';
import { PLACES, type Tellings, type Told } from './inbox-lock.ts';

export type AtOnceDeps = EvaluateDeps & {
  tellings: Tellings;
  entryOf(message: Outgoing, created_at: Date): NewInboxEntry;
  report(settlement: DeliveryResult, delivery: Delivery): void;
};

/** Of fewer people the way over the queue costs as much; of so many it costs a third more, all processes together. */
const WORTH_IT = 10;
/** A batch judged longer ago than this is left to the queue, which judges anew. */
const JUDGED_WITHIN_MS = 4_000;

/** One fact's messages that go past the queue, for one turn of its fan-out. */
export type AtOnce = {
  /** Asks the gate. @returns puts what may be told into inboxes, and answers with the rows that are left for the queue */
  judged(rows: Delivery[], wishes: ReadonlyMap<string, readonly string[]>): Promise<() => Promise<Delivery[]>>;
  end(): Promise<void>;
};

/**
 * Puts in-app messages into the inboxes in one transaction with their rows, past queue and claim: an inbox needs no
 * provider, and there is no moment in which one of the two exists without the other. Guaranteed: the same gate as for any
 * other message, asked after the telling was begun and for each batch, so that whoever has a later word stops it before
 * they say it (tellings.ts). What can't be told, and all of a batch that somebody else is at or died at, is left for the
 * queue. May repeat: what is stored already is left for the queue too, which finds it done.
 */
export function atOnce(deps: AtOnceDeps, { fact, event, school }: Occasion): AtOnce {
  const telling = { fact_id: fact.id, event_id: event.id, by: newId() };
  // Facts don't change, and a school's name may be as old as its turn. The gate also asks for what was announced before.
  const asking: EvaluateDeps = {
    ...deps,
    facts: { find: async (id) => (id === fact.id ? fact : deps.facts.find(id)), findMany: async () => [fact] },
    schools: { find: async () => school },
  };
  let begun: Promise<boolean> | null = null;
  let turn = 0;
  return {
    async judged(rows, wishes) {
      const at = deps.clock.now();
      const direct = thoseForNow(rows, at);
      if (direct.length < WORTH_IT) return async () => rows;
      begun ??= deps.tellings.begin(telling);
      if (!(await begun)) return async () => rows;
      const { told, entries } = await judged(deps, asking, direct, wishes);
      return async () => {
        const isLate = deps.clock.now().getTime() - at.getTime() > JUDGED_WITHIN_MS;
        if (told.size === 0 || isLate) return rows;
        turn = (turn + 1) % PLACES;
        if (!(await deps.tellings.put(telling, turn, [...told.values()], entries))) return rows;
        for (const one of told.values()) deps.report(resultOf(one), one.row);
        return othersThan(rows, told);
      };
    },
    async end() {
      if (await begun) await deps.tellings.end(telling);
    },
  };
}

function thoseForNow(rows: readonly Delivery[], at: Date): Delivery[] {
  const direct: Delivery[] = [];
  for (const row of rows) if (isForNow(row, at)) direct.push(row);
  return direct;
}

function othersThan(rows: readonly Delivery[], told: ReadonlyMap<string, unknown>): Delivery[] {
  const others: Delivery[] = [];
  for (const row of rows) if (!told.has(row.id)) others.push(row);
  return others;
}

const isForNow = ({ channel, status, urgent, due_at }: Delivery, at: Date): boolean =>
  channel === 'in_app' && status === 'waiting' && !urgent && due_at <= at;

async function judged(
  { clock, entryOf }: AtOnceDeps,
  asking: EvaluateDeps,
  rows: readonly Delivery[],
  wishes: ReadonlyMap<string, readonly string[]>,
) {
  const told = new Map<string, Told>();
  const entries: NewInboxEntry[] = [];
  const decisions = await evaluate(asking, rows, { wishes, suppressed: new Set() });
  const now = clock.now();
  const sent = { status: 'sent', attempts: 1 } as const;
  for (const { row, stop, message } of decisions) {
    if (stop?.to === 'skipped') told.set(row.id, { row, ended: { status: 'skipped', reason: stop.reason } });
    const entry = message && madeOf(message, now, entryOf);
    if (!entry) continue;
    entries.push(entry);
    told.set(row.id, { row, ended: sent });
  }
  return { told, entries };
}

const resultOf = ({ row: { id }, ended: { reason } }: Told): DeliveryResult =>
  reason ? { to: 'skipped', id, reason, detail: null } : { to: 'sent', id, provider_id: null, detail: null };

/** A text that can't be made is left to the worker, which says so on the row. */
function madeOf(message: Outgoing, at: Date, entryOf: AtOnceDeps['entryOf']): NewInboxEntry | null {
  try {
    return entryOf(message, at);
  } catch {
    return null;
  }
}
