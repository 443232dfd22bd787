import { notFound, Refused } from '../core/errors.ts';
import type { IdempotencyRecord } from '../core/idempotency-record.ts';
import { type Tx, WriteConflict } from '../core/transaction.ts';
import type { Scope } from '../people/caller.ts';
import type { EventQueueDeps, Keep, SeatRequest } from './ports.ts';
import type { Sheet } from './seat-book.ts';
import { openSeatBook, storeSeatBook, TakenOver } from './store-seat-book.ts';

/** A request that waits in a lane, with the way to answer it. */
export type Asked = {
  request: SeatRequest<unknown>;
  keep: Keep<unknown> | undefined;
  resolve(result: unknown): void;
  reject(error: unknown): void;
};

type Decided = { asked: Asked; result?: unknown; refused?: Refused; reply?: IdempotencyRecord };

/** How long a group may lose against others before its requests are answered `busy`. */
const LIMIT_MS = 20_000;
const JITTER_MS = 4;
/** Who has lost this often isn't in a race: somebody was killed with the event in hand, and is found soon. */
const MANY_TRIES = 200;
const PATIENCE_MS = 40;

/**
 * Decides a group of requests about one event and stores all that it comes to in one transaction. Comes in: at least one
 * request; `crowded` where other processes are at the same event. Guaranteed: each is answered, after the commit of what
 * it changed; one that is refused changes nothing and needs no transaction. May repeat: the decisions, on a fresh sheet,
 * for as long as others are faster.
 * @returns the version of the event it left, and whether others were met on the way
 */
export async function decideGroup(
  deps: EventQueueDeps,
  scope: Scope,
  event_id: string,
  group: readonly Asked[],
  crowded: boolean,
): Promise<{ version: number | null; met: boolean }> {
  const until = deps.clock.now().getTime() + LIMIT_MS;
  let open = group;
  for (let tries = 1; ; tries++) {
    try {
      const { decided, version } = await decideOnce(deps, scope, event_id, open, crowded || tries > 1);
      for (const { asked, result, refused } of decided) refused ? asked.reject(refused) : asked.resolve(result);
      return { version, met: tries > 1 };
    } catch (error) {
      open = stillOpen(open, error);
      const giveUp = !isAgain(error) || deps.clock.now().getTime() > until;
      if (giveUp) {
        const busy = new Refused({
          code: 'busy',
          detail: 'Many people are changing registrations of this event. Try again in a second.',
          retryAfter: 1,
        });
        for (const asked of open) asked.reject(isAgain(error) ? busy : error);
      }
      if (giveUp || open.length === 0) return { version: null, met: true };
      // The more often it lost, the sooner it tries again: the one who waits longest is to win.
      await pause(Math.random() * (tries > MANY_TRIES ? PATIENCE_MS : JITTER_MS / Math.min(tries, JITTER_MS)));
    }
  }
}

type Verdict = { decided: Decided[]; version: number | null };

/**
 * Alone, a group is decided on plain reads, and only what it changes is a transaction. Where others are met the event's
 * row is taken first: who has to wait for it then loses a single question, and not the work of a whole group.
 */
async function decideOnce(
  deps: EventQueueDeps,
  scope: Scope,
  event_id: string,
  open: readonly Asked[],
  crowded: boolean,
): Promise<Verdict> {
  const needs = open.map(({ request }) => request.needs);
  if (!crowded) {
    const sheet = await openSeatBook(deps, scope, event_id, needs);
    const { decided, replies } = decide(sheet, open, deps.clock.now());
    if (sheet && (sheet.touched.size > 0 || replies.length > 0))
      await deps.transactOnce((tx) => store(deps, sheet, decided, replies, tx));
    return { decided, version: versionAfter(sheet) };
  }
  try {
    return await deps.transactOnce(async (tx) => {
      const sheet = await openSeatBook(deps, scope, event_id, needs, tx);
      const { decided, replies } = decide(sheet, open, deps.clock.now());
      const verdict = { decided, version: versionAfter(sheet) };
      if (!sheet || (sheet.touched.size === 0 && replies.length === 0)) throw new NothingToStore(verdict);
      await store(deps, sheet, decided, replies, tx);
      return verdict;
    });
  } catch (error) {
    if (error instanceof NothingToStore) return error.verdict;
    throw error;
  }
}

/** Ends a transaction that took the event's row for nothing. */
class NothingToStore extends Error {
  readonly verdict: Verdict;
  constructor(verdict: Verdict) {
    super('nothing is to be stored');
    this.verdict = verdict;
  }
}

const versionAfter = (sheet: Sheet | null): number | null => sheet && sheet.version + (sheet.touched.size > 0 ? 1 : 0);

function decide(sheet: Sheet | null, open: readonly Asked[], now: Date) {
  if (!sheet) return { decided: open.map((asked): Decided => ({ asked, refused: notFound() })), replies: [] };
  const verdicts = open.map((asked) => ({ asked, verdict: asked.request.decide(sheet, now) }));
  const decided = verdicts.map(({ asked, verdict }): Decided => {
    if ('code' in verdict) return { asked, refused: new Refused(verdict) };
    const result = verdict.tell();
    return asked.keep ? { asked, result, reply: replyOf(asked, result) } : { asked, result };
  });
  return { decided, replies: decided.flatMap(({ reply }) => reply ?? []) };
}

async function store(
  deps: EventQueueDeps,
  sheet: Sheet,
  decided: readonly Decided[],
  replies: readonly IdempotencyRecord[],
  tx: Tx,
): Promise<void> {
  try {
    await storeSeatBook(deps, sheet, replies, tx);
  } catch (error) {
    throw error instanceof TakenOver ? new Faulty(ownersOf(decided, error.keys), error) : error;
  }
}

/** Some of a group can't be stored for a reason of their own; the others can. */
class Faulty extends Error {
  readonly ones: readonly Asked[];
  constructor(ones: readonly Asked[], cause: unknown) {
    super('some of the group can’t be stored', { cause });
    this.ones = ones;
  }
}

function replyOf(asked: Asked, result: unknown): IdempotencyRecord {
  try {
    return (asked.keep as Keep<unknown>)(result);
  } catch (error) {
    throw new Faulty([asked], error);
  }
}

const ownersOf = (decided: readonly Decided[], keys: readonly string[]): Asked[] =>
  decided.filter(({ reply }) => reply && keys.includes(reply.key)).map(({ asked }) => asked);

function stillOpen(open: readonly Asked[], error: unknown): readonly Asked[] {
  if (!(error instanceof Faulty)) return open;
  for (const asked of error.ones) asked.reject(error.cause);
  return open.filter((asked) => !error.ones.includes(asked));
}

const isAgain = (error: unknown): boolean => error instanceof WriteConflict || error instanceof Faulty;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
