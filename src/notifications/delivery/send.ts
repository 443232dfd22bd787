import { chunksOf } from '../../core/chunks-of.ts';
import type { Outgoing } from '../content/message.ts';
import type { Delivery } from '../delivery.ts';
import { resultOf } from '../policy/retry.ts';
import type { DeliveryResult } from '../ports.ts';
import { groupSizeNow } from './capacity.ts';
import type { DeliverDeps } from './deliver.ts';
import { composeDigests, idsOf, inDigest, type Message, recordDigests, rowsOf, splitIncomplete } from './digests.ts';
import { type Consent, type Decision, evaluate, later } from './evaluate.ts';
import type { Outcome } from './outcome.ts';

/** A decision of the gate holds so long; a message that waited longer for a connection is released and asked again. */
const FRESH_MS = 5_000;

/**
 * Lease → gate → render → send → record, for units of one school. Each message is recorded as soon as its channel has
 * answered, whatever the others of the group do. Holds one slot of `prepared` per unit, taken by the caller, until its
 * message has a connection.
 * @throws what the database throws while the gate reads; the rows are released then
 */
export async function sendGroup(
  deps: DeliverDeps,
  units: readonly Delivery[][],
  claim: string,
  consent: Consent,
): Promise<void> {
  const rows = units.flat();
  const urgent = rows[0]?.urgent ?? false;
  let held = units.length;
  const unprepare = (count: number) => {
    const released = Math.min(count, held);
    held -= released;
    deps.prepared.release(released, urgent);
  };
  try {
    const leased = await leaseRows(deps, rows, claim);
    const decisions = await decide(deps, leased, claim, consent);
    const freshUntil = deps.clock.now().getTime() + FRESH_MS;
    const stops = decisions.flatMap((one) => one.stop ?? (one.fault ? resultNow(deps, one.row, one.fault) : []));
    const ready = decisions.flatMap(({ row, message: outgoing }) => (outgoing ? [{ row, outgoing }] : []));
    const composed = composeDigests(ready, deps.adapter.digests ?? false);
    const messages = await recordDigests(deps, composed, claim);
    const parts = chunksOf(messages, deps.adapter.chunk);
    await Promise.all([
      record(deps, stops, leased, claim).then(() => showSuppressed(deps, decisions)),
      ...parts.map((part) => sendPart(deps, part, { claim, urgent, freshUntil, unprepare })),
    ]);
  } finally {
    unprepare(held);
  }
}

/** @returns the rows that this claim holds now; of a digest that was composed before, all of them or none */
async function leaseRows(deps: DeliverDeps, rows: readonly Delivery[], claim: string): Promise<Delivery[]> {
  const ours = new Set(await deps.deliveries.lease(rows, claim, deps.leaseMs));
  const leased = rows.filter((row) => ours.has(row.id));
  // These rows were read for this job alone: copying each would cost as much as its text.
  for (const row of leased) row.fence += 1;
  const { complete, incomplete } = splitIncomplete(rows, leased);
  const waiting = incomplete.map(({ row, afterMs }) =>
    later(row, 'another worker holds a part of its digest', afterMs),
  );
  await record(deps, waiting, leased, claim);
  return complete;
}

/** Gate and render. Nothing has been sent: rows are released rather than left to their leases if the database fails. */
async function decide(
  deps: DeliverDeps,
  rows: readonly Delivery[],
  claim: string,
  consent: Consent,
): Promise<Decision[]> {
  // Read after the lease: a backup that is restored later doesn't have this claim, so nothing is marked as sending.
  if (!(await deps.isUnchanged())) return rows.map((row) => ({ row, stop: later(row, 'restore guard') }));
  const decideOn = async (some: readonly Delivery[]) => {
    await deps.readyTexts?.(some);
    return evaluate(deps, some, consent);
  };
  try {
    return await decideOn(rows).catch((error) => oneByOne(rows, decideOn, error));
  } catch (error) {
    const released = rows.map((row) => later(row, 'the gate could not be asked'));
    await record(deps, released, rows, claim);
    throw error;
  }
}

/** A fault of ours is that of one row: the others are evaluated without it. */
async function oneByOne(
  rows: readonly Delivery[],
  decideOn: (some: readonly Delivery[]) => Promise<Decision[]>,
  error: unknown,
): Promise<Decision[]> {
  if (!isOurFault(error)) throw error;
  const decisions: Decision[] = [];
  for (const row of rows) {
    const alone = await decideOn([row]).catch((fault): Decision[] => {
      if (!isOurFault(fault)) throw fault;
      return [{ row, fault: { kind: 'unclassified', detail: 'not evaluated' } }];
    });
    decisions.push(...alone);
  }
  return decisions;
}

/** Errors of servers and connections are of other kinds, and concern every row. */
const isOurFault = (error: unknown): boolean => error instanceof TypeError || error instanceof RangeError;

type Sending = { claim: string; urgent: boolean; freshUntil: number; unprepare(count: number): void };

/** Send → record, for the messages of one call of the channel. */
async function sendPart(deps: DeliverDeps, part: readonly Message[], sending: Sending): Promise<void> {
  const { claim, urgent, unprepare } = sending;
  await deps.connections.acquire(part.length, urgent);
  unprepare(part.length);
  let answers: Answers;
  let recorded: Promise<void>;
  try {
    answers = await sendMarked(deps, part, sending);
    // Begins before another message takes the connection: that message is marked in the same command or a later one.
    recorded = record(deps, answers.results, part.flatMap(rowsOf), claim);
  } finally {
    deps.connections.release(part.length, urgent);
  }
  await recorded;
  await Promise.all(answers.sent.map(([{ row }, outcome]) => learn(deps, row, outcome)));
}

type Answers = { results: DeliveryResult[]; sent: [Message, Outcome | undefined][] };

/** Marks messages as sending, then sends those that are still ours. */
async function sendMarked(
  deps: DeliverDeps,
  part: readonly Message[],
  { claim, freshUntil }: Sending,
): Promise<Answers> {
  const rows = part.flatMap(rowsOf);
  const isStale = deps.clock.now().getTime() > freshUntil;
  if (isStale || deps.isStopping() || groupSizeNow(deps).size === 0)
    return { results: rows.map((row) => later(row, 'no connection was free', 0)), sent: [] };
  const ours = new Set(await deps.deliveries.markSending(idsOf(rows), claim, deps.leaseMs));
  const whole = part.filter((message) => rowsOf(message).every(({ id }) => ours.has(id)));
  const broken = part.filter((message) => !whole.includes(message)).flatMap(rowsOf);
  const outcomes = await send(
    deps,
    whole.map(({ outgoing }) => outgoing),
  );
  const results = [
    ...whole.flatMap((message, at) => resultsOf(deps, message, outcomes[at])),
    ...broken.map((row) => later(row, 'another worker holds a part of its digest')),
  ];
  return { results, sent: whole.map((message, at) => [message, outcomes[at]]) };
}

/** A process that can't wait any longer, and an adapter that throws, which none should, leave us in doubt. */
async function send({ adapter, stopped }: DeliverDeps, messages: readonly Outgoing[]): Promise<Outcome[]> {
  if (messages.length === 0) return [];
  const inDoubt = (detail: string): Outcome[] => messages.map(() => ({ kind: 'ambiguous', detail }));
  const answered = adapter.send(messages).catch(() => inDoubt('the adapter threw'));
  return stopped ? Promise.race([answered, stopped.then(() => inDoubt('the process ended'))]) : answered;
}

/** The results of a message, for its own row and for those that it was a digest of. */
function resultsOf(
  deps: DeliverDeps,
  { row, others, outgoing }: Message,
  outcome: Outcome = { kind: 'unclassified', detail: 'no outcome' },
): DeliveryResult[] {
  // The rows of one message wait equally long.
  const random = deps.random();
  const own = withText(resultNow(deps, row, outcome, random), row, deps.adapter.textVersion?.(outgoing.content));
  return [own, ...others.map((other) => inDigest(resultNow(deps, other, outcome, random), row))];
}

const resultNow = ({ clock, leaseMs, ...deps }: DeliverDeps, row: Delivery, outcome: Outcome, random = deps.random()) =>
  resultOf(row, outcome, { now: clock.now(), random, leaseMs });

/** A row names the version of the text it was sent with, so that the text can be read again. */
const withText = (result: DeliveryResult, row: Delivery, template_version: string | undefined): DeliveryResult =>
  template_version && template_version !== row.template_version && result.to === 'sent'
    ? { ...result, template_version }
    : result;

/** Writes results, however long the database is away, and reports them. */
async function record(
  deps: DeliverDeps,
  results: readonly DeliveryResult[],
  rows: readonly Delivery[],
  claim: string,
): Promise<void> {
  if (results.length === 0) return;
  await deps.deliveries.record(results, claim);
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const result of results) {
    const row = byId.get(result.id);
    if (row) deps.report(result, row);
  }
}

/** Records what an outcome says about an address beyond this message. */
async function learn({ suppressions }: DeliverDeps, row: Delivery, outcome: Outcome | undefined): Promise<void> {
  const { address, channel } = row;
  if (address === null) return;
  if (outcome?.kind === 'bad_address')
    await suppressions.add(row, channel, address, { kind: 'bounced', why: outcome.detail });
  if (outcome?.kind === 'opted_out' && outcome.sender) await suppressions.recordStop(outcome.sender, address);
}

/** Lets the staff of a school see which suppressed addresses kept a message back. */
async function showSuppressed({ suppressions }: DeliverDeps, decisions: readonly Decision[]): Promise<void> {
  const suppressed = decisions.filter(({ stop }) => stop?.to === 'skipped' && stop.reason === 'suppressed');
  const [first] = suppressed;
  if (!first) return;
  const addresses = suppressed.flatMap(({ row }) => row.address ?? []);
  await suppressions.recordBlocked(first.row, first.row.channel, addresses);
}
