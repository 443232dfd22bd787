import type { Delivery } from '../delivery.ts';
import type { Outcome } from '../outcome.ts';
import { type DeliveryResult, orFallback, type RowResult, resultOf, waits } from '../policy/retry.ts';
import type { DeliverDeps } from './deliver.ts';
import type { Decision, SendDeps } from './evaluate.ts';
import { inDigest, type Message } from './units.ts';

/** Records the outcome of a message, for its own row and the other members of its digest, and what it says of the address. */
export async function recordOutcome(
  deps: DeliverDeps,
  message: Message,
  outcome: Outcome,
  claim: string,
): Promise<void> {
  const { row, others, outgoing } = message;
  // The same jitter, so that the rows of one message wait equally long.
  const random = deps.random();
  const own = withText(resultNow(deps, row, outcome, random), row, deps.textVersion(outgoing.content));
  const ofOthers = others.map((row) => ({ row, result: inDigest(resultNow(deps, row, outcome, random), message.row) }));
  await record(deps, [{ row, result: own }, ...ofOthers], claim);
  await updateSuppressions(deps, row, outcome);
}

/** Records the messages that the gate stopped or that could not be composed. */
export async function recordStops(deps: DeliverDeps, decisions: readonly Decision[], claim: string): Promise<void> {
  const stops = decisions.flatMap(({ row, stop, fault }) => {
    const result = stop ?? (fault && resultNow(deps, row, fault));
    return result ? { row, result } : [];
  });
  await record(deps, stops, claim);
  const suppressed = decisions.filter(({ stop }) => stop?.to === 'skipped' && stop.reason === 'suppressed');
  const addresses = suppressed.flatMap(({ row }) => row.address ?? []);
  // So that the staff of the school sees them.
  if (suppressed[0]) await deps.suppressions.recordBlocked(suppressed[0].row, deps.adapter.channel, addresses);
}

/** Writes results, with failover to another channel, repeated until the database answers; then reports them. */
export async function record(deps: SendDeps, results: readonly RowResult[], claim: string): Promise<void> {
  if (results.length === 0) return;
  const final = results.map(({ row, result }) => ({ row, result: orFallback(row, result) }));
  await deps.deliveries.record(
    final.map(({ result }) => result),
    claim,
  );
  for (const { row, result } of final) deps.report(result, row);
}

/** How long a released row waits. */
export const RETRY_MS = 2_000;

/** Returns leased rows unsent. */
export const releaseLeased = (
  deps: DeliverDeps,
  rows: readonly Delivery[],
  claim: string,
  detail: string,
  afterMs = RETRY_MS,
): Promise<void> =>
  record(
    deps,
    rows.map((row) => ({ row, result: waits(row, afterMs, detail) })),
    claim,
  );

const resultNow = ({ clock, leaseMs, ...deps }: DeliverDeps, row: Delivery, outcome: Outcome, random = deps.random()) =>
  resultOf(row, outcome, { now: clock.now(), random, leaseMs });

/** Records the version of the sent text, so that it can be composed again. */
const withText = (result: DeliveryResult, row: Delivery, template_version: string): DeliveryResult =>
  result.to === 'sent' && template_version !== row.template_version ? { ...result, template_version } : result;

/** Suppresses an address that does not exist, and records a STOP. */
async function updateSuppressions({ suppressions }: DeliverDeps, row: Delivery, outcome: Outcome): Promise<void> {
  const { address, channel } = row;
  if (address === null) return;
  if (outcome.kind === 'bad_address')
    await suppressions.add(row, channel, address, { kind: 'bounced', why: outcome.detail });
  if (outcome.kind === 'opted_out' && outcome.sender) await suppressions.recordStop(outcome.sender, address);
}
