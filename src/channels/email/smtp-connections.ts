import type { SmtpAddress } from './smtp-address.ts';
import { type SmtpFailure, type SmtpPhase, smtpOutcome } from './smtp-outcome.ts';
import { type SmtpMessage, type SmtpResult, type SmtpSession, smtpSession } from './smtp-session.ts';

export type SmtpLimits = {
  /** goes before waiting bulk messages and moves off a connection that hangs */
  urgent?: boolean;
  /** deadline of the whole message; at most and by default `sendTimeoutMs` */
  withinMs?: number;
  /** deadline for starting to send the text, else `send` fails; by default two thirds of `withinMs` */
  startWithinMs?: number;
};

/** Sends messages over one connection; `session` may still be opening. */
export type Worker = { session: SmtpSession | null };

/** A message in the pool. */
export type Job = {
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

/** Takes the first job, skipping those whose deadline passed while they waited. */
export function takeFirst(jobs: Job[]): Job | undefined {
  let job = jobs.shift();
  while (job?.settled) job = jobs.shift();
  return job;
}

/** Whether the server has nothing of the message because the connection ended. */
export const isUntouched = (result: SmtpResult): boolean =>
  !result.accepted && smtpOutcome(result.failure).kind === 'infrastructure';

/** The result of a message whose connection or deadline is lost. */
export const lost = (phase: SmtpPhase, code: string): SmtpResult & { accepted: false } => ({
  accepted: false,
  failure: { phase, code, command: null, responseCode: null, response: null },
});

type Idle = { session: SmtpSession; timer: NodeJS.Timeout };

/** After a server has refused a connection beyond its limit, the limit grows by one connection per this time. */
const ONE_MORE_MS = 5_000;

/** Opens connections to one server and keeps idle ones for the next message. */
export function smtpConnections(address: SmtpAddress, idleMs: number) {
  const idle: Idle[] = [];
  const sessions = new Set<SmtpSession>();
  /** how many connections were open when the server last refused one, and when it did */
  let refused = { above: address.connections, at: 0 };

  return {
    /** connections open at the same time: `address.connections`, or fewer if the server allows fewer */
    get limit() {
      const since = performance.now() - refused.at;
      return Math.min(address.connections, refused.above + Math.floor(since / ONE_MORE_MS));
    },
    /** @param socketTimeoutMs ends a connection without any traffic */
    create(socketTimeoutMs: number): SmtpSession {
      const session: SmtpSession = smtpSession(address, socketTimeoutMs, () => sessions.delete(session));
      sessions.add(session);
      return session;
    },
    /** Opens a created session. @returns the failure, or null; `full` if the server allows no more connections */
    async open(session: SmtpSession, withinMs: number): Promise<SmtpFailure | 'full' | null> {
      const timer = setTimeout(() => session.destroy(), withinMs);
      const failure = await session.open();
      clearTimeout(timer);
      if (!failure) return null;
      session.destroy();
      if (!isRefusedAtGreeting(failure) || sessions.size === 0) return failure;
      refused = { above: sessions.size, at: performance.now() };
      return 'full';
    },
    /** Keeps an idle session for `idleMs`. */
    keep(session: SmtpSession) {
      const timer = setTimeout(() => {
        const at = idle.findIndex((one) => one.session === session);
        if (at >= 0) idle.splice(at, 1);
        void session.quit();
      }, idleMs);
      timer.unref();
      idle.push({ session, timer });
    },
    /** The session used last, so that the others can reach their idle time; null if none is idle. */
    takeIdle(): SmtpSession | null {
      for (let last = idle.pop(); last; last = idle.pop()) {
        clearTimeout(last.timer);
        if (last.session.alive) return last.session;
      }
      return null;
    },
    /** Sends QUIT on idle connections and ends all others. */
    async close() {
      const quits = idle.splice(0).map(({ session, timer }) => {
        clearTimeout(timer);
        sessions.delete(session);
        return session.quit();
      });
      for (const session of sessions) session.destroy();
      await Promise.all(quits);
    },
  };
}

/** The server answers but accepts no more connections now. */
const isRefusedAtGreeting = ({ phase, responseCode }: SmtpFailure): boolean =>
  phase === 'connect' && responseCode !== null && responseCode >= 400 && responseCode < 500;
