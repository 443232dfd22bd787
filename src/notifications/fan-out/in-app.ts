import { groupBy } from '../../core/groups.ts';
import { newId } from '../../core/ids.ts';
import { scopeKey } from '../../people/caller.ts';
import type { Outgoing } from '../content/message.ts';
import { type Decision, evaluate, type Known, loadKnown, loadPresent, type SendDeps } from '../delivery/evaluate.ts';
import { loadReaders } from '../delivery/readers.ts';
import { record } from '../delivery/record.ts';
import type { Delivery } from '../delivery.ts';
import type { InboxText } from '../inbox/entry.ts';
import type { Occasion } from '../policy/draft-deliveries.ts';
import type { Now } from '../policy/gate.ts';
import { type DeliveryResult, type RowResult, resultOf } from '../policy/retry.ts';

export type InAppDeps = SendDeps & {
  /** @throws if the text can't be rendered */
  textOf(message: Outgoing): InboxText;
};

/** In-app messages that wait although they are due, sent at a time. */
const BATCH = 500;

/**
 * Completes drafts of in-app messages that are due: gate → render. The delivery is the message, so the fan-out stores it
 * with its final status. If its text can't be rendered it is stored as waiting, with the error, for `sendDueInApp`.
 * @param occasion its events may be as old as the fan-out: the gate runs again when an inbox is read
 * @param wishes opt-outs by person, if known
 * @returns all drafts, and the results of those that are due by id
 */
export async function completeInApp(
  deps: InAppDeps,
  occasion: Pick<Occasion, 'fact' | 'event' | 'dates' | 'school'>,
  drafts: readonly Delivery[],
  now: Date,
  wishes?: Now['wishes'],
): Promise<{ rows: readonly Delivery[]; results: ReadonlyMap<string, DeliveryResult> }> {
  const due = drafts.filter(
    ({ channel, status, due_at }) => channel === 'in_app' && status === 'waiting' && due_at <= now,
  );
  if (due.length === 0) return { rows: drafts, results: new Map() };
  const { fact, school } = occasion;
  const findMany = async () => occasion.dates.map(({ event }) => event);
  const known = { facts: new Map([[fact.id, fact]]), school };
  const decided = await decide({ ...deps, events: { ...deps.events, findMany } }, due, known, wishes);
  const results = new Map(decided.map(({ row, result }) => [row.id, result]));
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
export async function sendDueInApp(deps: InAppDeps): Promise<void> {
  const { deliveries, leaseMs } = deps;
  for (;;) {
    const due = await deliveries.findDueInApp(BATCH);
    const claim = newId();
    const leased = new Set(due.length > 0 ? await deliveries.lease(due, claim, leaseMs) : []);
    const ours = due.filter(({ id }) => leased.has(id));
    for (const rows of groupBy(ours, scopeKey)) {
      await deps.readyTexts(rows);
      const results = await decide(deps, rows, await loadKnown(deps, rows[0], rows));
      await record(deps, results, claim);
      await deps.inbox.signalArrivals(results.flatMap(({ result, row }) => (result.to === 'sent' ? row : [])));
    }
    if (due.length < BATCH) return;
  }
}

/** @param rows of one school */
async function decide(
  deps: InAppDeps,
  rows: readonly Delivery[],
  known: Known,
  knownWishes?: Now['wishes'],
): Promise<RowResult[]> {
  const [present, consent] = await Promise.all([
    loadPresent(deps, known, rows),
    knownWishes ? { wishes: knownWishes } : loadReaders(deps, known.school, rows),
  ]);
  const state = { ...known, ...present, consent: { ...consent, suppressed: new Set<string>() } };
  const decisions = await evaluate(deps, rows, state);
  const now = deps.clock.now();
  return decisions.map((decision) => ({ row: decision.row, result: resultOfDecision(deps, decision, now) }));
}

function resultOfDecision({ textOf }: InAppDeps, decision: Decision, now: Date): DeliveryResult {
  const { row, stop, outgoing } = decision;
  if (stop) return stop;
  try {
    const text = outgoing && textOf(outgoing);
    if (text) return { to: 'sent', id: row.id, provider_id: null, detail: null, text, attempts: row.attempts + 1 };
  } catch {
    // The message has no fault yet: its text can't be rendered.
  }
  const fault = decision.fault ?? { kind: 'unclassified', detail: 'in_app text' };
  return resultOf(row, fault, { now, random: 0.5, leaseMs: 0 });
}
