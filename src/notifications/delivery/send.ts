import { chunksOf } from '../../core/groups.ts';
import type { Outgoing } from '../content/message.ts';
import type { Delivery } from '../delivery.ts';
import { orFallback, resultOf } from '../policy/retry.ts';
import type { DeliveryResult } from '../ports.ts';
import { groupSizeNow } from './capacity.ts';
import type { DeliverDeps } from './deliver.ts';
import { composeDigests, idsOf, inDigest, type Message, recordDigests, rowsOf, splitIncomplete } from './digests.ts';
import { type Decision, evaluate, loadConsent, released } from './evaluate.ts';
import type { Outcome } from './outcome.ts';

/** How long a decision of the gate is valid; a message that waits longer for a connection is released. */
const FRESH_MS = 5_000;

/**
 * Lease → gate → render → send → record, for units of one school. Records each message as soon as its channel has answered.
 * Releases one slot of `prepared` per unit, acquired by the caller, when its message has a connection.
 * @throws the database's error if the gate can't read; the rows are released then
 */
export async function sendGroup(deps: DeliverDeps, units: readonly Delivery[][], claim: string): Promise<void> {
  const rows = units.flat();
  const urgent = rows[0]?.urgent ?? false;
  let prepared = units.length;
  const releasePrepared = (count: number) => {
    const released = Math.min(count, prepared);
    prepared -= released;
    deps.prepared.release(released, urgent);
  };
  try {
    const leased = await leaseRows(deps, rows, claim);
    const decisions = await evaluateLeased(deps, leased, claim);
    const freshUntil = deps.clock.now().getTime() + FRESH_MS;
    const stops = decisions.flatMap((one) => one.stop ?? (one.fault ? resultNow(deps, one.row, one.fault) : []));
    const ready = decisions.flatMap(({ row, message: outgoing }) => (outgoing ? [{ row, outgoing }] : []));
    const composed = composeDigests(ready, deps.adapter.digests ?? false);
    const messages = await recordDigests(deps, composed, claim);
    const parts = chunksOf(messages, deps.adapter.chunk);
    await Promise.all([
      record(deps, stops, leased, claim).then(() => recordBlocked(deps, decisions)),
      ...parts.map((part) => sendPart(deps, part, { claim, urgent, freshUntil, releasePrepared })),
    ]);
  } finally {
    releasePrepared(prepared);
  }
}

/** Leases rows. @returns the leased rows; of a composed digest all or none */
async function leaseRows(deps: DeliverDeps, rows: readonly Delivery[], claim: string): Promise<Delivery[]> {
  const ours = new Set(await deps.deliveries.lease(rows, claim, deps.leaseMs));
  const leased = rows.filter((row) => ours.has(row.id));
  // Changed in place: only this job has read these rows, and copying each would cost as much as its text.
  for (const row of leased) row.fence += 1;
  const { complete, incomplete } = splitIncomplete(rows, leased);
  const waiting = incomplete.map(({ row, afterMs }) =>
    released(row, 'another worker has leased a part of its digest', afterMs),
  );
  await record(deps, waiting, leased, claim);
  return complete;
}

/** Gate and render. If the database fails, releases the rows instead of waiting for their leases to run out. */
async function evaluateLeased(deps: DeliverDeps, rows: readonly Delivery[], claim: string): Promise<Decision[]> {
  // Read after the lease: a backup restored later doesn't have this claim, so nothing is marked as sending.
  const checking = deps.isUnchanged();
  // Read after the lease too, so that a person who has opted out by then gets nothing.
  const evaluateSome = (some: readonly Delivery[]) => {
    const loading = Promise.all([loadConsent(deps, some), deps.readyTexts?.(some)]);
    return evaluate(
      deps,
      some,
      loading.then(([consent]) => consent),
    );
  };
  try {
    const decisions = await evaluateSome(rows).catch((error) => evaluateOneByOne(rows, evaluateSome, error));
    if (await checking) return decisions;
    return rows.map((row) => ({ row, stop: released(row, 'restore guard') }));
  } catch (error) {
    const results = rows.map((row) => released(row, 'the gate could not read the database'));
    await record(deps, results, rows, claim);
    throw error;
  }
}

/** After an internal error of one row, evaluates the others without it. */
async function evaluateOneByOne(
  rows: readonly Delivery[],
  evaluateSome: (some: readonly Delivery[]) => Promise<Decision[]>,
  error: unknown,
): Promise<Decision[]> {
  if (!isInternalError(error)) throw error;
  const decisions: Decision[] = [];
  for (const row of rows) {
    const alone = await evaluateSome([row]).catch((fault): Decision[] => {
      if (!isInternalError(fault)) throw fault;
      return [{ row, fault: { kind: 'unclassified', detail: 'not evaluated' } }];
    });
    decisions.push(...alone);
  }
  return decisions;
}

/** Errors of servers and connections have other types, and concern every row. */
const isInternalError = (error: unknown): boolean => error instanceof TypeError || error instanceof RangeError;

type Sending = { claim: string; urgent: boolean; freshUntil: number; releasePrepared(count: number): void };

/** Send → record, for the messages of one call of the channel. */
async function sendPart(deps: DeliverDeps, part: readonly Message[], sending: Sending): Promise<void> {
  const { claim, urgent, releasePrepared } = sending;
  await deps.connections.acquire(part.length, urgent);
  releasePrepared(part.length);
  let answers: Answers;
  let recorded: Promise<void>;
  try {
    answers = await sendMarked(deps, part, sending);
    // Starts before another message gets the connection, which is then marked in the same command or a later one.
    recorded = record(deps, answers.results, part.flatMap(rowsOf), claim);
  } finally {
    deps.connections.release(part.length, urgent);
  }
  await recorded;
  await Promise.all(answers.sent.map(([{ row }, outcome]) => updateSuppressions(deps, row, outcome)));
}

type Answers = { results: DeliveryResult[]; sent: [Message, Outcome | undefined][] };

/** Marks messages as sending, then sends those that are still leased. */
async function sendMarked(
  deps: DeliverDeps,
  part: readonly Message[],
  { claim, freshUntil }: Sending,
): Promise<Answers> {
  const rows = part.flatMap(rowsOf);
  const isStale = deps.clock.now().getTime() > freshUntil;
  if (isStale || deps.isStopping() || groupSizeNow(deps).size === 0)
    return { results: rows.map((row) => released(row, 'no connection was free', 0)), sent: [] };
  const ours = new Set(await deps.deliveries.markSending(idsOf(rows), claim, deps.leaseMs));
  const whole = part.filter((message) => rowsOf(message).every(({ id }) => ours.has(id)));
  const broken = part.filter((message) => !whole.includes(message)).flatMap(rowsOf);
  const outcomes = await send(
    deps,
    whole.map(({ outgoing }) => outgoing),
  );
  const results = [
    ...whole.flatMap((message, at) => resultsOf(deps, message, outcomes[at])),
    ...broken.map((row) => released(row, 'another worker has leased a part of its digest')),
  ];
  return { results, sent: whole.map((message, at) => [message, outcomes[at]]) };
}

/** Ambiguous if the process can't wait any longer, or if the adapter throws, which none should. */
async function send({ adapter, stopped }: DeliverDeps, messages: readonly Outgoing[]): Promise<Outcome[]> {
  if (messages.length === 0) return [];
  const ambiguous = (detail: string): Outcome[] => messages.map(() => ({ kind: 'ambiguous', detail }));
  const answered = adapter.send(messages).catch(() => ambiguous('the adapter threw'));
  return stopped ? orAborted(answered, stopped, () => ambiguous('the process ended')) : answered;
}

/**
 * Resolves to what `work` answers, or to `otherwise` if the signal is aborted before. Leaves nothing behind on the signal:
 * a race against a promise that lives as long as the process would keep every message in memory.
 */
function orAborted<T>(work: Promise<T>, signal: AbortSignal, otherwise: () => T): Promise<T> {
  return new Promise((resolve) => {
    const end = () => resolve(otherwise());
    if (signal.aborted) return end();
    signal.addEventListener('abort', end, { once: true });
    void work.then(resolve).finally(() => signal.removeEventListener('abort', end));
  });
}

/** The results of a message, for its own row and for the other members of its digest. */
function resultsOf(
  deps: DeliverDeps,
  { row, others, outgoing }: Message,
  outcome: Outcome = { kind: 'unclassified', detail: 'no outcome' },
): DeliveryResult[] {
  // The same jitter, so that the rows of one message wait equally long.
  const random = deps.random();
  const own = withText(resultNow(deps, row, outcome, random), row, deps.adapter.textVersion?.(outgoing.content));
  return [own, ...others.map((other) => inDigest(resultNow(deps, other, outcome, random), row))];
}

const resultNow = ({ clock, leaseMs, ...deps }: DeliverDeps, row: Delivery, outcome: Outcome, random = deps.random()) =>
  resultOf(row, outcome, { now: clock.now(), random, leaseMs });

/** Records the version of the sent text, so that it can be composed again. */
const withText = (result: DeliveryResult, row: Delivery, template_version: string | undefined): DeliveryResult =>
  template_version && template_version !== row.template_version && result.to === 'sent'
    ? { ...result, template_version }
    : result;

/** Writes results, repeated until the database answers, and reports them. */
async function record(
  deps: DeliverDeps,
  results: readonly DeliveryResult[],
  rows: readonly Delivery[],
  claim: string,
): Promise<void> {
  if (results.length === 0) return;
  const byId = new Map(rows.map((row) => [row.id, row]));
  const final = results.map((result) => orFallback(byId.get(result.id) ?? { fallback: null }, result));
  await deps.deliveries.record(final, claim);
  for (const result of final) {
    const row = byId.get(result.id);
    if (row) deps.report(result, row);
  }
}

/** Suppresses an address that does not exist, and records a STOP. */
async function updateSuppressions(
  { suppressions }: DeliverDeps,
  row: Delivery,
  outcome: Outcome | undefined,
): Promise<void> {
  const { address, channel } = row;
  if (address === null) return;
  if (outcome?.kind === 'bad_address')
    await suppressions.add(row, channel, address, { kind: 'bounced', why: outcome.detail });
  if (outcome?.kind === 'opted_out' && outcome.sender) await suppressions.recordStop(outcome.sender, address);
}

/** Records suppressed addresses that blocked a message, so that the staff of the school sees them. */
async function recordBlocked({ suppressions }: DeliverDeps, decisions: readonly Decision[]): Promise<void> {
  const suppressed = decisions.filter(({ stop }) => stop?.to === 'skipped' && stop.reason === 'suppressed');
  const [first] = suppressed;
  if (!first) return;
  const addresses = suppressed.flatMap(({ row }) => row.address ?? []);
  await suppressions.recordBlocked(first.row, first.row.channel, addresses);
}
