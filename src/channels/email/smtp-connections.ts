import type { SmtpAddress } from './smtp-address.ts';
import type { SmtpFailure } from './smtp-outcome.ts';
import { type SmtpSession, smtpSession } from './smtp-session.ts';

/** Connections to one server: opens them, and keeps those that are idle for the next message. */
export type SmtpConnections = {
  /** @param patienceMs ends a connection on which nothing at all moves */
  create(patienceMs: number): SmtpSession;
  /** Opens one that was created. @returns what went wrong, or null */
  open(session: SmtpSession, withinMs: number): Promise<SmtpFailure | null>;
  /** Keeps one that is idle, for `idleMs`. */
  keep(session: SmtpSession): void;
  /** The one used last, so that the others may reach their idle time; null if none is idle. */
  takeIdle(): SmtpSession | null;
  /** Says goodbye on idle ones and ends all others. */
  close(): Promise<void>;
};

type Idle = { session: SmtpSession; timer: NodeJS.Timeout };

export function smtpConnections(address: SmtpAddress, idleMs: number): SmtpConnections {
  const idle: Idle[] = [];
  const sessions = new Set<SmtpSession>();

  return {
    create(patienceMs) {
      const session = smtpSession(address, patienceMs, () => sessions.delete(session));
      sessions.add(session);
      return session;
    },
    async open(session, withinMs) {
      const timer = setTimeout(() => session.destroy(), withinMs);
      const failure = await session.open();
      clearTimeout(timer);
      if (failure) session.destroy();
      return failure;
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
