import type { CallLimits } from '../failover.ts';
import type { SmtpAddress } from './smtp-address.ts';
import { type SmtpMessage, type SmtpResult, type SmtpSession, smtpConnections } from './smtp-connections.ts';
import { endsConnection, type SmtpFailure, type SmtpPhase, smtpOutcome } from './smtp-outcome.ts';

/** `urgent`: moves off a connection that hangs. */
export type SmtpLimits = CallLimits & { urgent: boolean };

/** Sends messages over one connection; `session` may still be opening. */
type Worker = { session: SmtpSession | null };

/** A message in the pool. */
type Job = {
  message: SmtpMessage;
  urgent: boolean;
  settle(result: SmtpResult): void;
  settled: boolean;
  /** null: it waits for a connection */
  worker: Worker | null;
  /** when it began to wait, or got its connection */
  since: number;
  onWire: boolean;
  /** retried once because a reused connection turned out to be dead */
  again: boolean;
  /** its connection was ended because it hung */
  hung: boolean;
  timers: NodeJS.Timeout[];
};

type SmtpPoolOptions = {
  address: SmtpAddress;
  sendTimeoutMs: number;
  /** how long a connection may stay unused; 10 s */
  idleMs?: number;
};

const IDLE_MS = 10_000;
/** An urgent message leaves a connection without progress after `HANG_MS`, checked every `CHECK_MS`. */
const HANG_MS = 2_500;
const CHECK_MS = 250;

/**
 * Connections to one server, opened on demand up to `address.connections` and reused, each with one message at a time.
 * Other messages wait in memory in order, urgent ones first; the delivery path reserves connections for these. Until its text
 * is being written, a message moves to a new connection if the server ends the old one (idle, 421); an urgent message also
 * moves off a connection that hangs, which may exceed the limit by one connection. If the server allows fewer connections
 * than the limit, a message whose connection is refused waits for another one.
 */
export function smtpPool({ address, sendTimeoutMs, idleMs = IDLE_MS }: SmtpPoolOptions) {
  const openMs = (sendTimeoutMs * 2) / 3;
  const socketTimeoutMs = Math.max(sendTimeoutMs, idleMs) * 2;
  const connections = smtpConnections(address, idleMs, socketTimeoutMs);
  const queue: Record<'urgent' | 'bulk', Job[]> = { urgent: [], bulk: [] };
  /** connections in use, including those being opened */
  let busy = 0;
  let closing = false;
  const inFlight = new Set<Promise<SmtpResult>>();

  /** Sends one message. Resolves by its deadline, whatever the server does, and never rejects. */
  function send(message: SmtpMessage, { withinMs, startWithinMs, urgent }: SmtpLimits): Promise<SmtpResult> {
    if (closing) return Promise.resolve(lost('queue', 'ECLOSED'));
    const sending = new Promise<SmtpResult>((resolve) => {
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
        },
      };
      job.timers.push(
        setTimeout(() => isInText(job) || end(job), startWithinMs),
        setTimeout(() => end(job), withinMs),
      );
      if (urgent) moveIfStuck(job, startWithinMs / 2);
      queueOf(job).push(job);
      pump();
    });
    inFlight.add(sending);
    return sending.finally(() => inFlight.delete(sending));
  }

  const phaseOf = ({ worker }: Job): SmtpPhase => worker?.session?.phase ?? 'queue';
  /** Whether the server may already have the message. */
  const isInText = (job: Job): boolean => job.onWire && ['text', 'dot'].includes(phaseOf(job));

  function end(job: Job): void {
    job.settle(lost(phaseOf(job), 'ETIMEDOUT'));
    if (job.onWire) job.worker?.session?.destroy();
  }

  /** @param forMs stops moving the job after this time: a server on which every connection hangs may only be slow */
  function moveIfStuck(job: Job, forMs: number): void {
    const until = performance.now() + forMs;
    const timer = setInterval(() => {
      const now = performance.now();
      if (now > until || isInText(job)) clearInterval(timer);
      else if (now - job.since >= HANG_MS) move(job);
    }, CHECK_MS);
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

  const queueOf = ({ urgent }: Job): Job[] => queue[urgent ? 'urgent' : 'bulk'];

  const takeNext = (): Job | undefined => takeFirst(queue.urgent) ?? takeFirst(queue.bulk);
  /** A connection beyond the limit serves only the message it was opened for. */
  const takeAfterwards = (): Job | undefined => (busy > connections.limit ? undefined : takeNext());

  /** @param extra connections beyond the limit */
  function pump(extra = 0): void {
    while (busy < connections.limit + extra) {
      const job = takeNext();
      if (!job) return;
      busy += 1;
      void work(job, connections.takeIdle()).finally(() => {
        busy -= 1;
        pump();
      });
    }
  }

  /** Sends messages over one connection until none wait; replaces the connection if it ends. */
  async function work(first: Job, reused: SmtpSession | null): Promise<void> {
    const worker: Worker = { session: reused };
    for (let job: Job | undefined = first; job; job = takeAfterwards()) {
      job.worker = worker;
      job.since = performance.now();
      if (!worker.session?.alive) worker.session = connections.takeIdle() ?? (await openFor(job, worker));
      const { session } = worker;
      if (!session || job.settled) continue;
      const isNewSession = session.sent === 0;
      job.onWire = true;
      const result = await session.send(job.message);
      job.worker = null;
      job.onWire = false;
      settleOrRepeat(job, result, isNewSession);
      if (!result.accepted && !(await resetSession(session, result))) session.destroy();
    }
    if (!worker.session?.alive) return;
    if (busy > connections.limit) void worker.session.quit();
    else connections.keep(worker.session);
  }

  /** Repeats a message that the server has nothing of: after it was moved off a connection, and once after one was dead. */
  function settleOrRepeat(job: Job, result: SmtpResult, isNewSession: boolean): void {
    const mayRepeat = job.hung || (!isNewSession && !job.again);
    if (!job.settled && mayRepeat && isUntouched(result)) {
      job.again = !job.hung;
      job.hung = false;
      queueOf(job).unshift(job);
    } else {
      job.settle(result);
    }
  }

  /** Opens a connection for this job; null if that failed, which is then recorded on the job. */
  async function openFor(job: Job, worker: Worker): Promise<SmtpSession | null> {
    const session = connections.create();
    worker.session = session;
    const failure = await connections.open(session, openMs);
    if (!failure) return session;
    if (job.hung) {
      job.hung = false;
      return openFor(job, worker);
    }
    job.worker = null;
    if (failure === 'full') queueOf(job).unshift(job);
    else job.settle({ accepted: false, failure });
    return null;
  }

  /** Opens a connection and logs in; the next message uses it. @returns the failure, or null */
  async function check(withinMs: number): Promise<SmtpFailure | null> {
    if (closing) return lost('queue', 'ECLOSED').failure;
    const session = connections.create();
    const failure = await connections.open(session, withinMs);
    if (!failure) connections.keep(session);
    return failure === 'full' ? null : failure;
  }

  /** Resets the session after a refusal. @returns whether it can be used again: not after a failure without a reply */
  async function resetSession(session: SmtpSession, { failure }: SmtpResult & { accepted: false }): Promise<boolean> {
    if (!session.alive || failure.responseCode === null || endsConnection(failure.response ?? '')) return false;
    if (failure.phase !== 'envelope') return failure.phase === 'dot';
    const timer = setTimeout(() => session.destroy(), openMs);
    const reset = await session.reset();
    clearTimeout(timer);
    return reset;
  }

  /** Accepts no more messages, awaits those in flight and ends the connections. */
  async function close(): Promise<void> {
    closing = true;
    await Promise.all(inFlight);
    // The worker that settled the last message must give back its connection first.
    await new Promise((resolve) => setImmediate(resolve));
    await connections.close();
  }

  return { connections: address.connections, send, check, close };
}

export type SmtpPool = ReturnType<typeof smtpPool>;

/** Takes the first job, skipping those whose deadline passed while they waited. */
function takeFirst(jobs: Job[]): Job | undefined {
  let job = jobs.shift();
  while (job?.settled) job = jobs.shift();
  return job;
}

/** Whether the server has nothing of the message because the connection ended. */
const isUntouched = (result: SmtpResult): boolean =>
  !result.accepted && smtpOutcome(result.failure).kind === 'infrastructure';

/** The result of a message whose connection ended or whose time ran out. */
const lost = (phase: SmtpPhase, code: string): SmtpResult & { accepted: false } => ({
  accepted: false,
  failure: { phase, code, command: null, responseCode: null, response: null },
});
