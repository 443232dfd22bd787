import type { SmtpAddress } from './smtp-address.ts';
import type { Following, SmtpMessage, SmtpResult } from './smtp-mail.ts';
import { type SmtpPhase, smtpOutcome } from './smtp-outcome.ts';
import { type SmtpSession, smtpSession } from './smtp-session.ts';

export type SmtpPool = {
  /**
   * Hands over one message. Settles within `sendTimeoutMs` of the call, whatever the server does, and never rejects.
   * Half of that time is for getting a connection, so that no message is cut off because others were slow.
   * @param withinMs the time for this one, where it is less
   * @param urgent goes ahead of all that waits, on connections that nothing else may take up
   */
  send(message: SmtpMessage, withinMs?: number, urgent?: boolean): Promise<SmtpResult>;
  /** Takes no more messages, awaits those on their way and ends the connections. */
  close(): Promise<void>;
};

export type SmtpPoolOptions = {
  address: SmtpAddress;
  sendTimeoutMs: number;
  /** how long a connection may stay unused; 10 s */
  idleMs?: number;
};

type Job = {
  message: SmtpMessage;
  urgent: boolean;
  settle(result: SmtpResult): void;
  settled: boolean;
  /** the connection it is on, or the one being opened for it */
  session: SmtpSession | null;
  onWire: boolean;
  /** half of its time */
  halfMs: number;
  /** tried once more after a connection from before turned out to be dead */
  again: boolean;
  timer: NodeJS.Timeout;
};

type Idle = { session: SmtpSession; timer: NodeJS.Timeout };

const IDLE_MS = 10_000;
/**
 * One connection in so many is for what is urgent alone, and at least one where there are a few: recipients of bulk that
 * hang hold all the others.
 */
const KEPT_ONE_IN = 10;
const A_FEW = 4;
/** A server that answers within this gets the next message's commands with the text before: none waits behind a slow one. */
const QUICK_MS = 100;

/**
 * Connections to one server, opened on demand up to `address.connections` and reused, each with one message at a time.
 * Messages beyond wait in memory, in order, what is urgent first. A connection the server has ended (idle, 421) is replaced by a new one
 * without the message noticing, as long as nothing of its text has been written.
 */
export function smtpPool({ address, sendTimeoutMs, idleMs = IDLE_MS }: SmtpPoolOptions): SmtpPool {
  const waitingMs = sendTimeoutMs / 2;
  const queue: Record<'urgent' | 'bulk', Job[]> = { urgent: [], bulk: [] };
  const mostOfBulk = address.connections - keptFor(address.connections);
  const idle: Idle[] = [];
  const sessions = new Set<SmtpSession>();
  /** whose last answer came at once */
  const quick = new WeakSet<SmtpSession>();
  /** connections at work, those being opened included */
  let busy = 0;
  /** of them, those with a message that is not urgent */
  let busyWithBulk = 0;
  let closing = false;
  let unsettled = 0;
  let whenSettled = () => {};

  function send(message: SmtpMessage, withinMs = sendTimeoutMs, urgent = false): Promise<SmtpResult> {
    const halfMs = Math.min(withinMs, sendTimeoutMs) / 2;
    if (closing) return Promise.resolve(lost('queue', 'ECLOSED'));
    return new Promise((resolve) => {
      unsettled += 1;
      const job: Job = {
        message,
        urgent,
        settled: false,
        session: null,
        onWire: false,
        halfMs,
        again: false,
        timer: setTimeout(() => halfTime(job), halfMs),
        settle(result) {
          if (job.settled) return;
          job.settled = true;
          clearTimeout(job.timer);
          resolve(result);
          unsettled -= 1;
          if (unsettled === 0) whenSettled();
        },
      };
      lineOf(job).push(job);
      pump();
    });
  }

  /** Not on the wire yet: nothing was written, it may go back. Otherwise the second half of its time begins. */
  function halfTime(job: Job): void {
    if (job.onWire) job.timer = setTimeout(() => deadline(job), job.halfMs);
    else job.settle(lost(job.session?.phase ?? 'queue', 'ETIMEDOUT'));
  }

  function deadline(job: Job): void {
    job.settle(lost(job.session?.phase ?? 'queue', 'ETIMEDOUT'));
    job.session?.destroy();
  }

  const lineOf = ({ urgent }: Job): Job[] => queue[urgent ? 'urgent' : 'bulk'];

  /** The next message that may go, if any; it counts as begun. @param before what the same connection carried */
  function next(before?: Job): Job | undefined {
    if (before && !before.urgent) busyWithBulk -= 1;
    const job = firstOf(queue.urgent) ?? (busyWithBulk < mostOfBulk ? firstOf(queue.bulk) : undefined);
    if (job && !job.urgent) busyWithBulk += 1;
    return job;
  }

  function pump(): void {
    while (busy < address.connections) {
      const job = next();
      if (!job) return;
      busy += 1;
      void work(job, takeIdle()).finally(() => {
        busy -= 1;
        pump();
      });
    }
  }

  /** Carries messages over one connection until none wait; a connection that ended is followed by a new one. */
  async function work(first: Job, reused: SmtpSession | null): Promise<void> {
    let session = reused;
    let after: Job | undefined;
    for (let job: Job | undefined = first; job; job = after ?? next(job)) {
      const isAnnounced = after === job;
      after = undefined;
      session = session?.alive ? session : await opened(job);
      // Its commands are on their way, and its text isn't to follow.
      if (job.settled && isAnnounced) session?.destroy();
      if (!session || job.settled) continue;
      const fresh = session.carried === 0;
      const of = job;
      const result = await carried(job, session, () => {
        after = next(of);
        return after?.message;
      });
      if (!fresh && !job.again && !job.settled && isStale(result)) {
        job.again = true;
        lineOf(job).unshift(job);
      } else {
        job.settle(result);
      }
      if (!result.accepted && !(await mayGoOn(session, result))) session.destroy();
    }
    if (session?.alive) keep(session);
  }

  async function carried(job: Job, session: SmtpSession, following: Following): Promise<SmtpResult> {
    job.session = session;
    job.onWire = true;
    const from = performance.now();
    const result = await session.send(job.message, quick.has(session) ? following : undefined);
    if (performance.now() - from < QUICK_MS) quick.add(session);
    else quick.delete(session);
    job.session = null;
    job.onWire = false;
    return result;
  }

  /** A new connection, for this message first; null where none could be opened, which is then the message's answer. */
  async function opened(job: Job): Promise<SmtpSession | null> {
    const session = smtpSession(address, Math.max(sendTimeoutMs, idleMs) * 2, () => sessions.delete(session));
    sessions.add(session);
    job.session = session;
    const timer = setTimeout(() => session.destroy(), waitingMs);
    const failure = await session.open();
    clearTimeout(timer);
    job.session = null;
    if (!failure) return session;
    session.destroy();
    job.settle({ accepted: false, failure });
    return null;
  }

  /** After a refusal the server is asked to forget the message; after anything unclear the connection ends. */
  async function mayGoOn(session: SmtpSession, { failure }: SmtpResult & { accepted: false }): Promise<boolean> {
    if (!session.alive || failure.responseCode === null) return false;
    if (failure.phase !== 'envelope') return failure.phase === 'dot';
    const timer = setTimeout(() => session.destroy(), waitingMs);
    const reset = await session.reset();
    clearTimeout(timer);
    return reset;
  }

  function keep(session: SmtpSession): void {
    const timer = setTimeout(() => {
      const at = idle.findIndex((one) => one.session === session);
      if (at >= 0) idle.splice(at, 1);
      void session.quit();
    }, idleMs);
    timer.unref();
    idle.push({ session, timer });
  }

  /** The one used last, so that the others may reach their idle time. */
  function takeIdle(): SmtpSession | null {
    for (let last = idle.pop(); last; last = idle.pop()) {
      clearTimeout(last.timer);
      if (last.session.alive) return last.session;
    }
    return null;
  }

  async function close(): Promise<void> {
    closing = true;
    if (unsettled > 0) {
      await new Promise<void>((resolve) => {
        whenSettled = resolve;
      });
    }
    // the work that settled the last message has its connection to lay down first
    await new Promise((resolve) => setImmediate(resolve));
    const quits = idle.splice(0).map(({ session, timer }) => {
      clearTimeout(timer);
      sessions.delete(session);
      return session.quit();
    });
    // what is left is being opened or reset for nobody
    for (const session of sessions) session.destroy();
    await Promise.all(quits);
  }

  return { send, close };
}

/** How many of so many connections are for what is urgent. */
const keptFor = (connections: number): number =>
  connections < A_FEW ? 0 : Math.max(1, Math.floor(connections / KEPT_ONE_IN));

/** Those given up while they waited are passed over. */
function firstOf(line: Job[]): Job | undefined {
  let job = line.shift();
  while (job?.settled) job = line.shift();
  return job;
}

/** Ended by the server before it had anything of the message: what a connection kept open must reckon with. */
const isStale = (result: SmtpResult): boolean =>
  !result.accepted && smtpOutcome(result.failure).kind === 'infrastructure';

const lost = (phase: SmtpPhase, code: string): SmtpResult => ({
  accepted: false,
  failure: { phase, code, command: null, responseCode: null, response: null },
});
