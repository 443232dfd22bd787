import type { Delivery } from '../delivery.ts';
import type { Outcome } from '../outcome.ts';
import { type DeliveryResult, orFallback, RELEASED_MS, type RowResult, resultOf, waits } from '../policy/retry.ts';
import { inDigest, type Message } from './digests.ts';
import type { SendDeps } from './evaluate.ts';

/** Records the outcome of a message, for its own row and the other members of its digest, and what it says of the address. */
export async function recordOutcome(deps: SendDeps, message: Message, outcome: Outcome, claim: string): Promise<void> {
  const { row, others, outgoing } = message;
  // The same jitter, so that the rows of one message wait equally long.
  const at = { now: deps.clock.now(), random: deps.random(), leaseMs: deps.leaseMs };
  const own = withText(resultOf(row, outcome, at), row, deps.textVersion(outgoing.content));
  const ofOthers = others.map((other) => ({ row: other, result: inDigest(resultOf(other, outcome, at), row) }));
  await record(deps, [{ row, result: own }, ...ofOthers], claim);
  await updateSuppressions(deps, row, outcome);
}

/** Records the messages that the gate stopped. */
export async function recordStops(deps: SendDeps, stops: readonly RowResult[], claim: string): Promise<void> {
  await record(deps, stops, claim);
  const suppressed = stops.filter(({ result }) => result.to === 'skipped' && result.reason === 'suppressed');
  const addresses = suppressed.flatMap(({ row }) => row.address ?? []);
  const [first] = suppressed;
  // So that the staff of the school sees them.
  if (first) await deps.suppressions.recordBlocked(first.row, first.row.channel, addresses);
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

/** Returns leased rows unsent. */
export const releaseLeased = (
  deps: SendDeps,
  rows: readonly Delivery[],
  claim: string,
  detail: string,
  afterMs = RELEASED_MS,
): Promise<void> =>
  record(
    deps,
    rows.map((row) => ({ row, result: waits(row, afterMs, detail) })),
    claim,
  );

/** Records the version of the sent text, so that it can be composed again. */
const withText = (result: DeliveryResult, row: Delivery, template_version: string): DeliveryResult =>
  result.to === 'sent' && template_version !== row.template_version ? { ...result, template_version } : result;

/** Suppresses an address that does not exist, and records a STOP. */
async function updateSuppressions({ suppressions }: SendDeps, row: Delivery, outcome: Outcome): Promise<void> {
  const { address, channel } = row;
  if (address === null) return;
  if (outcome.kind === 'bad_address')
    await suppressions.add(row, channel, address, { kind: 'bounced', why: outcome.detail });
  if (outcome.kind === 'opted_out' && outcome.sender) await suppressions.recordStop(outcome.sender, address);
}
