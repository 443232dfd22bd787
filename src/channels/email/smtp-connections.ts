import type { SmtpAddress } from './smtp-address.ts';
import type { SmtpFailure } from './smtp-outcome.ts';
import { type SmtpSession, smtpSession } from './smtp-session.ts';

/** Opens connections to one server and keeps idle ones for the next message. */
export type SmtpConnections = {
  /** connections open at the same time: `address.connections`, or fewer if the server allows fewer */
  readonly limit: number;
  /** @param socketTimeoutMs ends a connection without any traffic */
  create(socketTimeoutMs: number): SmtpSession;
  /** Opens a created session. @returns the failure, or null; `full` if the server allows no more connections */
  open(session: SmtpSession, withinMs: number): Promise<SmtpFailure | 'full' | null>;
  /** Keeps an idle session for `idleMs`. */
  keep(session: SmtpSession): void;
  /** The session used last, so that the others can reach their idle time; null if none is idle. */
  takeIdle(): SmtpSession | null;
  /** Sends QUIT on idle connections and ends all others. */
  close(): Promise<void>;
};

type Idle = { session: SmtpSession; timer: NodeJS.Timeout };

/** After a server has refused a connection beyond its limit, the limit grows by one connection per this time. */
const ONE_MORE_MS = 5_000;

export function smtpConnections(address: SmtpAddress, idleMs: number): SmtpConnections {
  const idle: Idle[] = [];
  const sessions = new Set<SmtpSession>();
  /** how many connections were open when the server last refused one, and when it did */
  let refused = { above: address.connections, at: 0 };

  return {
    get limit() {
      const since = performance.now() - refused.at;
      return Math.min(address.connections, refused.above + Math.floor(since / ONE_MORE_MS));
    },
    create(socketTimeoutMs) {
      const session = smtpSession(address, socketTimeoutMs, () => sessions.delete(session));
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

/** The server answers but accepts no more connections now. */
const isRefusedAtGreeting = ({ phase, responseCode }: SmtpFailure): boolean =>
  phase === 'connect' && responseCode !== null && responseCode >= 400 && responseCode < 500;
