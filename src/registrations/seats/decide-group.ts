import { busy, notFound, Refused } from '../../core/errors.ts';
import { type IdempotencyRecord, type RecordReply, TAKEN_OVER } from '../../core/idempotency-record.ts';
import { type Tx, WriteConflict } from '../../core/transaction.ts';
import type { SchoolEvent } from '../../events/event.ts';
import type { Scope } from '../../people/caller.ts';
import type { EventQueueDeps, SeatRequest } from '../ports.ts';
import type { SeatBook } from './seat-book.ts';
import { openSeatBook, storeSeatBook } from './store-seat-book.ts';

/** A request in an event queue, with the promise to settle. */
export type QueuedRequest = {
  request: SeatRequest<unknown>;
  recordReply: RecordReply<unknown> | undefined;
  resolve(result: unknown): void;
  reject(error: unknown): void;
};

type EventOfGroup = { scope: Scope; event_id: string };

type Decided = { queued: QueuedRequest; result?: unknown; refused?: Refused; reply?: IdempotencyRecord };

/** How long a group retries write conflicts before its requests are answered `busy`. */
const RETRY_FOR_MS = 20_000;
const JITTER_MS = 4;
/** After this number of conflicts the cause is no race but a killed process whose lock will expire soon. */
const MANY_TRIES = 200;
const LOCKED_JITTER_MS = 40;
const MANY_CHANGES = 'Many people are changing registrations of this event. Try again in a second.';

/**
 * Decides a group of at least one request about one event and stores all changes in one transaction. Each request is
 * answered after the commit of its changes; a refused one changes nothing and needs no transaction. After a write conflict
 * the requests are decided again on a fresh seat book.
 * @param isContended whether other processes change the event too; `event` as it was just read, if it was
 * @returns the version of the event after the group, and whether there was a write conflict
 */
export async function decideGroup(
  deps: EventQueueDeps,
  of: EventOfGroup,
  group: readonly QueuedRequest[],
  { isContended, event }: { isContended: boolean; event?: SchoolEvent },
): Promise<{ version: number | null; hadConflict: boolean }> {
  const until = deps.clock.now().getTime() + RETRY_FOR_MS;
  let open = group;
  for (let tries = 1; ; tries++) {
    try {
      const { decided, version } =
        isContended || tries > 1 ? await decideLocked(deps, of, open) : await decideUnlocked(deps, of, open, event);
      for (const { queued, result, refused } of decided) refused ? queued.reject(refused) : queued.resolve(result);
      return { version, hadConflict: tries > 1 };
    } catch (error) {
      open = withoutFailed(open, error);
      if (!mayRetry(error)) open = rejectAll(open, error);
      else if (deps.clock.now().getTime() > until) open = rejectAll(open, busy(MANY_CHANGES));
      if (open.length === 0) return { version: null, hadConflict: true };
      await new Promise((resolve) => setTimeout(resolve, Math.random() * jitterMs(tries)));
    }
  }
}

/** @returns no requests, since none is left */
function rejectAll(requests: readonly QueuedRequest[], reason: unknown): readonly QueuedRequest[] {
  for (const queued of requests) queued.reject(reason);
  return [];
}

/** The wait shrinks with every try, so that the group that has waited longest wins. */
const jitterMs = (tries: number): number =>
  tries > MANY_TRIES ? LOCKED_JITTER_MS : JITTER_MS / Math.min(tries, JITTER_MS);

type GroupDecision = { decided: Decided[]; version: number | null };

const needsOf = (open: readonly QueuedRequest[]) => open.map(({ request }) => request.needs);

/** Without contention, decides on plain reads and opens a transaction only for changes. */
async function decideUnlocked(
  deps: EventQueueDeps,
  { scope, event_id }: EventOfGroup,
  open: readonly QueuedRequest[],
  event: SchoolEvent | undefined,
): Promise<GroupDecision> {
  // The event is older than all other reads, so its version tells whether they are out of date.
  const known = event ?? (await deps.events.find(scope, event_id));
  const book = known && (await openSeatBook(deps, known, needsOf(open)));
  const decided = decide(book, open, deps.clock.now());
  if (book && isToStore(book, decided)) await deps.transactOnce((tx) => store(deps, book, decided, tx));
  return { decided, version: versionAfter(book) };
}

/** With contention, locks the event's row first, so that a write conflict costs one query instead of a group's work. */
async function decideLocked(
  deps: EventQueueDeps,
  { scope, event_id }: EventOfGroup,
  open: readonly QueuedRequest[],
): Promise<GroupDecision> {
  try {
    return await deps.transactOnce(async (tx) => {
      const locked = await deps.events.lock(scope, event_id, tx);
      const book = locked && (await openSeatBook(deps, locked, needsOf(open), tx));
      const decided = decide(book, open, deps.clock.now());
      const decision = { decided, version: versionAfter(book) };
      if (!book || !isToStore(book, decided)) throw new NothingToStore(decision);
      await store(deps, book, decided, tx);
      return decision;
    });
  } catch (error) {
    if (error instanceof NothingToStore) return error.decision;
    throw error;
  }
}

/** Aborts a transaction that has locked the event's row but has nothing to store. */
class NothingToStore extends Error {
  readonly decision: GroupDecision;
  constructor(decision: GroupDecision) {
    super('nothing to store');
    this.decision = decision;
  }
}

const versionAfter = (book: SeatBook | null): number | null =>
  book && book.event.version + (book.dirty.size > 0 ? 1 : 0);

function decide(book: SeatBook | null, open: readonly QueuedRequest[], now: Date): Decided[] {
  if (!book) return open.map((queued) => ({ queued, refused: notFound() }));
  const verdicts = open.map((queued) => ({ queued, verdict: queued.request.decide(book, now) }));
  return verdicts.map(({ queued, verdict }) => {
    if ('code' in verdict) return { queued, refused: new Refused(verdict) };
    const result = verdict.result();
    return { queued, result, reply: replyOf(queued, result) };
  });
}

const isToStore = (book: SeatBook, decided: readonly Decided[]): boolean =>
  book.dirty.size > 0 || decided.some(({ reply }) => reply);

/** Stores the seat book with the replies to its requests. */
async function store(deps: EventQueueDeps, book: SeatBook, decided: readonly Decided[], tx: Tx): Promise<void> {
  await storeSeatBook(deps, book, tx);
  const replies = decided.flatMap(({ reply }) => reply ?? []);
  const lost = await deps.idempotency.finishMany(replies, tx);
  // Retries in other processes have taken over the keys of these replies.
  if (lost.length > 0) throw new RequestsFailed(ownersOf(decided, lost), new Refused(TAKEN_OVER));
}

/** Some requests of a group fail for reasons of their own; the others can be retried without them. */
class RequestsFailed extends Error {
  readonly requests: readonly QueuedRequest[];
  constructor(requests: readonly QueuedRequest[], cause: unknown) {
    super('some requests of the group failed', { cause });
    this.requests = requests;
  }
}

function replyOf(queued: QueuedRequest, result: unknown): IdempotencyRecord | undefined {
  try {
    return queued.recordReply?.(result);
  } catch (error) {
    throw new RequestsFailed([queued], error);
  }
}

const ownersOf = (decided: readonly Decided[], keys: readonly string[]): QueuedRequest[] =>
  decided.filter(({ reply }) => reply && keys.includes(reply.key)).map(({ queued }) => queued);

function withoutFailed(open: readonly QueuedRequest[], error: unknown): readonly QueuedRequest[] {
  if (!(error instanceof RequestsFailed)) return open;
  for (const queued of error.requests) queued.reject(error.cause);
  return open.filter((queued) => !error.requests.includes(queued));
}

const mayRetry = (error: unknown): boolean => error instanceof WriteConflict || error instanceof RequestsFailed;
