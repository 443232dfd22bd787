import { type Group, groupBy } from '../../core/groups.ts';
import { newId } from '../../core/ids.ts';
import { scopeKey } from '../../people/caller.ts';
import type { Outgoing } from '../content/message.ts';
import {
  type Decision,
  evaluate,
  evaluateLeased,
  type GateDeps,
  resultOfFault,
  type SendDeps,
} from '../delivery/evaluate.ts';
import { loadRegistrations } from '../delivery/readers.ts';
import { record } from '../delivery/record.ts';
import type { Delivery } from '../delivery.ts';
import type { InboxText } from '../inbox/entry.ts';
import type { Occasion } from '../policy/draft-deliveries.ts';
import type { Now } from '../policy/gate.ts';
import type { Ties } from '../policy/recipients.ts';
import type { DeliveryResult, RowResult } from '../policy/retry.ts';

export type InAppDeps = SendDeps & {
  /** @throws if the text can't be rendered */
  textOf(message: Outgoing): InboxText;
};

/** The preferences and guardians of the readers of drafts, and those who have left. */
export type Readers = Pick<Now, 'preferences' | keyof Ties>;

/** In-app messages that wait although they are due, sent at a time. */
const BATCH = 500;

/**
 * Completes drafts of in-app messages that are due: gate → render. The delivery is the message, so the fan-out stores it
 * with its final status. If its text can't be rendered it is stored as waiting, with the error, for `sendDueInApp`.
 * @param dates their events may be as old as the fan-out: the gate runs again when an inbox is read
 * @returns all drafts, and the results of those that are due by id
 */
export async function completeInApp(
  deps: InAppDeps,
  { dates, school }: Pick<Occasion, 'dates' | 'school'>,
  drafts: readonly Delivery[],
  now: Date,
  { preferences, left, guardians }: Readers,
): Promise<{ rows: readonly Delivery[]; results: ReadonlyMap<string, DeliveryResult> }> {
  const [first, ...others] = drafts.filter(
    ({ channel, status, due_at }) => channel === 'in_app' && status === 'waiting' && due_at <= now,
  );
  if (!first) return { rows: drafts, results: new Map() };
  const due: Group<Delivery> = [first, ...others];
  const registrations = await loadRegistrations(deps, first, due);
  const state = { preferences, left, guardians, registrations, suppressed: new Set<string>() };
  const decisions = await evaluate(deps, { rows: due, dates, school }, state);
  const results = new Map(decisions.map((decision) => [decision.row.id, resultOfDecision(deps, decision).result]));
  const rows = drafts.map((row) => {
    const result = results.get(row.id);
    return result ? completed(row, result, now) : row;
  });
  return { rows, results };
}

function completed(row: Delivery, result: DeliveryResult, now: Date): Delivery {
  if ('afterMs' in result) {
    const { afterMs, detail, errors } = result;
    return { ...row, due_at: new Date(now.getTime() + afterMs), detail, errors };
  }
  if ('reason' in result) return { ...row, status: result.to, reason: result.reason, settled_at: now };
  return { ...row, status: result.to, attempts: result.attempts ?? row.attempts, settled_at: now, ...result.text };
}

/**
 * Sends in-app messages that were not final when they were stored: changes and reminders that were not due, texts that
 * failed, and messages that staff retried. Any number of processes may run it, because each row is leased.
 */
export async function sendDueInApp(deps: InAppDeps & GateDeps): Promise<void> {
  const { deliveries, leaseMs } = deps;
  for (;;) {
    const due = await deliveries.findDueInApp(BATCH);
    const claim = newId();
    const leased = new Set(await deliveries.lease(due, claim, leaseMs));
    const ours = due.filter(({ id }) => leased.has(id));
    for (const rows of groupBy(ours, scopeKey)) {
      const results = (await evaluateLeased(deps, rows)).map((decision) => resultOfDecision(deps, decision));
      await record(deps, results, claim);
      await deps.inbox.signalArrivals(results.flatMap(({ result, row }) => (result.to === 'sent' ? row : [])));
    }
    if (due.length < BATCH) return;
  }
}

function resultOfDecision(deps: InAppDeps, { row, stop, outgoing }: Decision): RowResult {
  if (stop) return { row, result: stop };
  try {
    const text = deps.textOf(outgoing);
    const sent = { to: 'sent', id: row.id, provider_id: null, detail: null, text, attempts: row.attempts + 1 } as const;
    return { row, result: sent };
  } catch {
    return { row, result: resultOfFault(deps, row, 'in_app text') };
  }
}
