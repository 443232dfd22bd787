import type { SmtpAddress } from './smtp-address.ts';
import { smtpConnections } from './smtp-connections.ts';
import type { Following, SmtpMessage, SmtpResult } from './smtp-mail.ts';
import { type SmtpFailure, type SmtpPhase, smtpOutcome } from './smtp-outcome.ts';
import type { SmtpSession } from './smtp-session.ts';

export type SmtpLimits = {
  /** ahead of all that waits, on connections that bulk may not use, and on another one if a connection hangs */
  urgent?: boolean;
  /** for the whole message; at most and by default `sendTimeoutMs` */
  withinMs?: number;
  /** by then the text is being sent, or the message is given back; by default two thirds of `withinMs` */
  startWithinMs?: number;
};

export type SmtpPool = {
  /** how many messages it sends at once */
  readonly connections: number;
  /** Sends one message. Settles within its time, whatever the server does, and never rejects. */
  send(message: SmtpMessage, limits?: SmtpLimits): Promise<SmtpResult>;
  /** Opens a connection and logs in; the next message uses it. @returns what went wrong, or null */
  check(withinMs: number): Promise<SmtpFailure | null>;
  /** Takes no more messages, awaits those on their way and ends the connections. */
  close(): Promise<void>;
};

export type SmtpPoolOptions = {
  address: SmtpAddress;
  sendTimeoutMs: number;
  /** how long a connection may stay unused; 10 s */
  idleMs?: number;
};

/** A connection at work, or the one being opened. */
type Worker = { session: SmtpSession | null };

type Job = {
  message: SmtpMessage;
  urgent: boolean;
  settle(result: SmtpResult): void;
  settled: boolean;
  /** null: it waits for one */
  worker: Worker | null;
  /** when it began to wait, or got its connection */
  since: number;
  onWire: boolean;
  /** tried once more after a connection from before turned out to be dead */
  again: boolean;
  /** its connection was ended because it hung */
  hung: boolean;
  timers: NodeJS.Timeout[];
};

const IDLE_MS = 10_000;
/** One connection in so many, and at least one of a few, is for urgent messages alone: bulk that hangs holds the others. */
const RESERVED_ONE_IN = 10;
const A_FEW = 4;
/** A server that answers within this gets the next message's commands with the text before: none waits behind a slow one. */
const QUICK_MS = 100;
/** An urgent message waits so long for a connection on which nothing moves, and is looked at so often. */
const HANG_MS = 2_500;
const LOOK_MS = 250;

/**
 * Connections to one server, opened on demand up to `address.connections` and reused, each with one message at a time.
 * Messages beyond wait in memory, in order, urgent ones first. As long as nothing of its text has been written, a message
 * moves to a new connection when the server has ended the old one (idle, 421), and an urgent one also when it hangs. That
 * may take one connection more than the limit.
 * If the server allows fewer connections than the limit, a message whose connection is refused waits for another one.
 */
export function smtpPool({ address, sendTimeoutMs, idleMs = IDLE_MS }: SmtpPoolOptions): SmtpPool {
  const openMs = (sendTimeoutMs * 2) / 3;
  const patienceMs = Math.max(sendTimeoutMs, idleMs) * 2;
  const connections = smtpConnections(address, idleMs);
  const queue: Record<'urgent' | 'bulk', Job[]> = { urgent: [], bulk: [] };
  /** whose last answer came at once */
  const quick = new WeakSet<SmtpSession>();
  /** connections at work, those being opened included */
  let busy = 0;
  /** of them, those with a message that is not urgent */
  let busyWithBulk = 0;
  let closing = false;
  let unsettled = 0;
  let whenSettled = () => {};

  function send(message: SmtpMessage, limits: SmtpLimits = {}): Promise<SmtpResult> {
    const { urgent = false } = limits;
    const withinMs = Math.min(limits.withinMs ?? sendTimeoutMs, sendTimeoutMs);
    const startWithinMs = Math.min(limits.startWithinMs ?? (withinMs * 2) / 3, withinMs);
    if (closing) return Promise.resolve(lost('queue', 'ECLOSED'));
    return new Promise((resolve) => {
      unsettled += 1;
      const job: Job = {
        message,
        urgent,
        settled: false,
        worker: null,
        since: performance.now(),
        onWire: false,
        again: false,
        hung: false,
        timers: [],
        settle(result) {
          if (job.settled) return;
          job.settled = true;
          for (const timer of job.timers) clearTimeout(timer);
          resolve(result);
          unsettled -= 1;
          if (unsettled === 0) whenSettled();
        },
      };
      job.timers.push(
        setTimeout(() => isInText(job) || end(job), startWithinMs),
        setTimeout(() => end(job), withinMs),
      );
      if (urgent) moveWhereItHangs(job, startWithinMs / 2);
      lineOf(job).push(job);
      pump();
    });
  }

  const mostOfBulk = (): number => connections.limit - reservedOf(connections.limit);

  const phaseOf = ({ worker }: Job): SmtpPhase => worker?.session?.phase ?? 'queue';
  /** From the text on the server may have the message. */
  const isInText = (job: Job): boolean => job.onWire && ['text', 'dot'].includes(phaseOf(job));

  function end(job: Job): void {
    job.settle(lost(phaseOf(job), 'ETIMEDOUT'));
    if (job.onWire) job.worker?.session?.destroy();
  }

  /** @param forMs after that time it stays where it is: a server on which each connection hangs may only be slow */
  function moveWhereItHangs(job: Job, forMs: number): void {
    const until = performance.now() + forMs;
    const timer = setInterval(() => {
      const now = performance.now();
      if (now > until || isInText(job)) clearInterval(timer);
      else if (now - job.since >= HANG_MS) move(job);
    }, LOOK_MS);
    job.timers.push(timer);
  }

  function move(job: Job): void {
    job.since = performance.now();
    if (!job.worker) pump(1);
    else {
      job.hung = true;
      job.worker.session?.destroy();
    }
  }

  const lineOf = ({ urgent }: Job): Job[] => queue[urgent ? 'urgent' : 'bulk'];

  /** The next message that may go, if any; it counts as begun. @param before what the same connection carried */
  function next(before?: Job): Job | undefined {
    if (before && !before.urgent) busyWithBulk -= 1;
    // A connection beyond the limit is for the one message it was opened for.
    if (before && busy > connections.limit) return undefined;
    const job = firstOf(queue.urgent) ?? (busyWithBulk < mostOfBulk() ? firstOf(queue.bulk) : undefined);
    if (job && !job.urgent) busyWithBulk += 1;
    return job;
  }

  /** @param extra connections beyond the limit */
  function pump(extra = 0): void {
    while (busy < connections.limit + extra) {
      const job = next();
      if (!job) return;
      busy += 1;
      void work(job, connections.takeIdle()).finally(() => {
        busy -= 1;
        pump();
      });
    }
  }

  /** Carries messages over one connection until none wait; a connection that ended is followed by a new one. */
  async function work(first: Job, reused: SmtpSession | null): Promise<void> {
    const worker: Worker = { session: reused };
    let after: Job | undefined;
    for (let job: Job | undefined = first; job; job = after ?? next(job)) {
      const isAnnounced = after === job;
      after = undefined;
      job.worker = worker;
      job.since = performance.now();
      if (!worker.session?.alive) worker.session = connections.takeIdle() ?? (await opened(job, worker));
      const { session } = worker;
      // Its commands are on their way, and its text isn't to follow.
      if (job.settled && isAnnounced) session?.destroy();
      if (!session || job.settled) continue;
      const fresh = session.carried === 0;
      const of = job;
      const result = await carried(job, session, () => {
        // An urgent message never waits behind another: it gets the first connection that is free.
        after = queue.urgent.length === 0 ? next(of) : undefined;
        return after?.message;
      });
      if (!job.settled && isUntouched(result) && (job.hung || (!fresh && !job.again))) {
        job.again = !job.hung;
        job.hung = false;
        lineOf(job).unshift(job);
      } else {
        job.settle(result);
      }
      if (!result.accepted && !(await mayGoOn(session, result))) session.destroy();
    }
    if (!worker.session?.alive) return;
    if (busy > connections.limit) void worker.session.quit();
    else connections.keep(worker.session);
  }

  async function carried(job: Job, session: SmtpSession, following: Following): Promise<SmtpResult> {
    job.onWire = true;
    const from = performance.now();
    const result = await session.send(job.message, quick.has(session) ? following : undefined);
    if (performance.now() - from < QUICK_MS) quick.add(session);
    else quick.delete(session);
    job.worker = null;
    job.onWire = false;
    return result;
  }

  /** A new connection, for this message first; null if none could be opened, which is then the message's answer. */
  async function opened(job: Job, worker: Worker): Promise<SmtpSession | null> {
    const session = connections.create(patienceMs);
    worker.session = session;
    const failure = await connections.open(session, openMs);
    if (!failure) return session;
    if (job.hung) {
      job.hung = false;
      return opened(job, worker);
    }
    job.worker = null;
    if (failure === 'full') lineOf(job).unshift(job);
    else job.settle({ accepted: false, failure });
    return null;
  }

  async function check(withinMs: number): Promise<SmtpFailure | null> {
    if (closing) return lost('queue', 'ECLOSED').failure;
    const session = connections.create(patienceMs);
    const failure = await connections.open(session, withinMs);
    if (!failure) connections.keep(session);
    return failure === 'full' ? null : failure;
  }

  /** After a refusal the server is asked to forget the message; after anything unclear the connection ends. */
  async function mayGoOn(session: SmtpSession, { failure }: SmtpResult & { accepted: false }): Promise<boolean> {
    if (!session.alive || failure.responseCode === null) return false;
    if (failure.phase !== 'envelope') return failure.phase === 'dot';
    const timer = setTimeout(() => session.destroy(), openMs);
    const reset = await session.reset();
    clearTimeout(timer);
    return reset;
  }

  async function close(): Promise<void> {
    closing = true;
    if (unsettled > 0) {
      await new Promise<void>((resolve) => {
        whenSettled = resolve;
      });
    }
    // The work that settled the last message has its connection to lay down first.
    await new Promise((resolve) => setImmediate(resolve));
    await connections.close();
  }

  return { connections: address.connections, send, check, close };
}

/** How many of so many connections are for urgent messages. */
const reservedOf = (connections: number): number =>
  connections < A_FEW ? 0 : Math.max(1, Math.floor(connections / RESERVED_ONE_IN));

/** Those given up while they waited are passed over. */
function firstOf(line: Job[]): Job | undefined {
  let job = line.shift();
  while (job?.settled) job = line.shift();
  return job;
}

/** The server has nothing of the message: the connection ended, or was ended here. */
const isUntouched = (result: SmtpResult): boolean =>
  !result.accepted && smtpOutcome(result.failure).kind === 'infrastructure';

const lost = (phase: SmtpPhase, code: string): SmtpResult & { accepted: false } => ({
  accepted: false,
  failure: { phase, code, command: null, responseCode: null, response: null },
});
