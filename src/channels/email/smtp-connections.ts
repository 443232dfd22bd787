import type { SmtpAddress } from './smtp-address.ts';
import type { SmtpFailure } from './smtp-outcome.ts';
import { type SmtpSession, smtpSession } from './smtp-session.ts';

/** Connections to one server: opens them, and keeps those that are idle for the next message. */
export type SmtpConnections = {
  /** how many to have at once: `address.connections`, or what the server allows if that is less */
  readonly limit: number;
  /** @param patienceMs ends a connection on which nothing at all moves */
  create(patienceMs: number): SmtpSession;
  /** Opens one that was created. @returns what went wrong, or null; `full` if the server allows none beside the others */
  open(session: SmtpSession, withinMs: number): Promise<SmtpFailure | 'full' | null>;
  /** Keeps one that is idle, for `idleMs`. */
  keep(session: SmtpSession): void;
  /** The one used last, so that the others may reach their idle time; null if none is idle. */
  takeIdle(): SmtpSession | null;
  /** Says goodbye on idle ones and ends all others. */
  close(): Promise<void>;
};

type Idle = { session: SmtpSession; timer: NodeJS.Timeout };

/** A server that refused a connection beyond its own limit is asked for one more after so long. */
const ONE_MORE_MS = 5_000;

export function smtpConnections(address: SmtpAddress, idleMs: number): SmtpConnections {
  const idle: Idle[] = [];
  const sessions = new Set<SmtpSession>();
  /** how many connections there were when the server last refused one, and when that was */
  let refused = { above: address.connections, at: 0 };

  return {
    get limit() {
      const since = performance.now() - refused.at;
      return Math.min(address.connections, refused.above + Math.floor(since / ONE_MORE_MS));
    },
    create(patienceMs) {
      const session = smtpSession(address, patienceMs, () => sessions.delete(session));
      sessions.add(session);
      return session;
    },
    async open(session, withinMs) {
      const timer = setTimeout(() => session.destroy(), withinMs);
      const failure = await session.open();
      clearTimeout(timer);
      if (!failure) return null;
      session.destroy();
      if (!isRefusedAtGreeting(failure) || sessions.size === 0) return failure;
      refused = { above: sessions.size, at: performance.now() };
      return 'full';
    },
    keep(session) {
      const timer = setTimeout(() => {
        const at = idle.findIndex((one) => one.session === session);
        if (at >= 0) idle.splice(at, 1);
        void session.quit();
      }, idleMs);
      timer.unref();
      idle.push({ session, timer });
    },
    takeIdle() {
      for (let last = idle.pop(); last; last = idle.pop()) {
        clearTimeout(last.timer);
        if (last.session.alive) return last.session;
      }
      return null;
    },
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

/** The server is there but takes no further connection now. */
const isRefusedAtGreeting = ({ phase, responseCode }: SmtpFailure): boolean =>
  phase === 'connect' && responseCode !== null && responseCode >= 400 && responseCode < 500;
