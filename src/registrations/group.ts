import { notFound, Refused } from '../kernel/errors.ts';
import type { KeptReply } from '../kernel/idempotency.ts';
import { Contended } from '../kernel/transaction.ts';
import type { Scope } from '../people/caller.ts';
import type { Keep, LaneDeps, SeatRequest } from './ports.ts';
import { openSheet, storeSheet, TakenOver } from './store-sheet.ts';

/** A request that waits in a lane, with the way to answer it. */
export type Asked = {
  request: SeatRequest<unknown>;
  keep: Keep<unknown> | undefined;
  resolve(result: unknown): void;
  reject(error: unknown): void;
};

type Decided = { asked: Asked; result?: unknown; refused?: Refused; reply?: KeptReply };

/** How long a group may lose against others before its requests are answered `busy`. */
const LIMIT_MS = 15_000;
const JITTER_MS = 4;

/**
 * Decides a group of requests about one event and stores all that it comes to in one transaction. Comes in: at least one
 * request. Guaranteed: each is answered, after the commit of what it changed; one that is refused changes nothing and
 * needs no transaction. May repeat: the decisions, on a fresh sheet, for as long as others are faster.
 * @returns the version of the event it left, and whether others were met on the way
 */
export async function decideGroup(
  deps: LaneDeps,
  scope: Scope,
  event_id: string,
  group: readonly Asked[],
): Promise<{ version: number | null; met: boolean }> {
  const until = deps.clock.now().getTime() + LIMIT_MS;
  let open = group;
  for (let tries = 1; ; tries++) {
    try {
      const { decided, version } = await decideOnce(deps, scope, event_id, open);
      for (const { asked, result, refused } of decided) refused ? asked.reject(refused) : asked.resolve(result);
      return { version, met: tries > 1 };
    } catch (error) {
      open = stillOpen(open, error);
      const giveUp = !isAgain(error) || deps.clock.now().getTime() > until;
      if (giveUp) {
        const busy = new Refused({ code: 'busy', detail: 'too many changes of this event at once', retryAfter: 1 });
        for (const asked of open) asked.reject(isAgain(error) ? busy : error);
      }
      if (giveUp || open.length === 0) return { version: null, met: true };
      // The more often it lost, the sooner it tries again: the one who waits longest is to win.
      await pause((Math.random() * JITTER_MS) / Math.min(tries, JITTER_MS));
    }
  }
}

async function decideOnce(deps: LaneDeps, scope: Scope, event_id: string, open: readonly Asked[]) {
  const sheet = await openSheet(
    deps,
    scope,
    event_id,
    open.map(({ request }) => request.needs),
  );
  if (!sheet) return { decided: open.map((asked): Decided => ({ asked, refused: notFound() })), version: null };
  const now = deps.clock.now();
  const verdicts = open.map((asked) => ({ asked, verdict: asked.request.decide(sheet, now) }));
  const decided = verdicts.map(({ asked, verdict }): Decided => {
    if ('code' in verdict) return { asked, refused: new Refused(verdict) };
    const result = verdict.tell();
    return asked.keep ? { asked, result, reply: replyOf(asked, result) } : { asked, result };
  });
  const replies = decided.flatMap(({ reply }) => reply ?? []);
  const { touched, version } = sheet;
  if (touched.size === 0 && replies.length === 0) return { decided, version };
  try {
    await deps.attempt(async (tx) => {
      if (touched.size > 0) return storeSheet(deps, sheet, replies, tx);
      const lost = await deps.replies.finishMany(replies, tx);
      if (lost.length > 0) throw new TakenOver(lost);
    });
  } catch (error) {
    throw error instanceof TakenOver ? new Faulty(ownersOf(decided, error.keys), error) : error;
  }
  return { decided, version: version + (touched.size > 0 ? 1 : 0) };
}

/** Some of a group can't be stored for a reason of their own; the others can. */
class Faulty extends Error {
  readonly ones: readonly Asked[];
  constructor(ones: readonly Asked[], cause: unknown) {
    super('some of the group can’t be stored', { cause });
    this.ones = ones;
  }
}

function replyOf(asked: Asked, result: unknown): KeptReply {
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

const isAgain = (error: unknown): boolean => error instanceof Contended || error instanceof Faulty;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
