import { isAscii } from 'node:buffer';
import { Readable } from 'node:stream';
import type { NodemailerError } from 'nodemailer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { needsSmtpUtf8 } from '../../people/contact.ts';
import type { SmtpAddress } from './smtp-address.ts';
import type { SmtpFailure, SmtpPhase } from './smtp-outcome.ts';

/** Envelope addresses without brackets, and the finished MIME message, whose lines end in CRLF. */
export type SmtpMessage = { from: string; to: string; raw: Buffer };

/** `response` is the server's last reply; it may contain its queue id. */
export type SmtpResult = { accepted: true; response: string } | { accepted: false; failure: SmtpFailure };

const QUIT_MS = 1000;

export type SmtpSession = ReturnType<typeof smtpSession>;

/**
 * One connection of nodemailer to the server, used for one message at a time. Never sends the login over a connection
 * without TLS unless `tls=none` is set.
 * @param socketTimeoutMs ends a connection without any traffic; the caller keeps the overall deadline
 * @param onEnd called once when the connection has ended
 */
function smtpSession(address: SmtpAddress, socketTimeoutMs: number, onEnd: () => void) {
  const { host, port, secure, starttls, login, ehlo } = address;
  const connection = new SMTPConnection({
    host,
    port,
    secure,
    name: ehlo ?? undefined,
    requireTLS: starttls === 'required',
    ignoreTLS: starttls === 'none',
    dnsTimeout: socketTimeoutMs,
    connectionTimeout: socketTimeoutMs,
    greetingTimeout: socketTimeoutMs,
    socketTimeout: socketTimeoutMs,
    socketCloseTimeout: 0,
  });
  let phase: SmtpPhase = 'connect';
  let sent = 0;
  let alive = true;
  /** whether the server takes non-ASCII addresses */
  let takesUtf8 = false;
  let endStep: (error: Partial<NodemailerError>) => void = () => {};
  connection.on('error', (error: NodemailerError) => endStep(error));
  connection.once('end', () => {
    alive = false;
    onEnd();
    // A step that the server has ended with a reply has its own error.
    setImmediate(() => endStep({ code: 'ECONNECTION' }));
  });

  /** Runs one step. Resolves with its value, an error or the end of the connection, whichever comes first. */
  function step<T>(start: (done: (error?: Partial<NodemailerError> | null, value?: T) => void) => void) {
    return new Promise<{ value: T | undefined; failure: SmtpFailure | null }>((resolve) => {
      endStep = (error) => resolve({ value: undefined, failure: failureAt(phase, error) });
      start((error, value) => (error ? endStep(error) : resolve({ value, failure: null })));
    });
  }

  /** Connects, greets and logs in. @returns the failure, or null */
  async function open(): Promise<SmtpFailure | null> {
    const { failure } = await step((done) => connection.connect(done));
    // The last reply is now the one to EHLO.
    takesUtf8 = /\bSMTPUTF8\b/i.test(connection.lastServerResponse || '');
    if (failure || !login) return failure;
    phase = 'auth';
    return (await step((done) => connection.login({ ...login }, done))).failure;
  }

  /** Resolves when the server has answered or the connection has ended; has no timeout of its own. */
  async function send({ from, to, raw }: SmtpMessage): Promise<SmtpResult> {
    sent += 1;
    phase = 'envelope';
    // The address may be good: the failure must not count against it.
    if (!takesUtf8 && needsSmtpUtf8(from + to))
      return { accepted: false, failure: failureAt(phase, { code: 'ESMTPUTF8' }) };
    const text = inPieces(raw, () => {
      phase = 'text';
    });
    text.once('end', () => {
      phase = 'dot';
    });
    const envelope = { from, to, size: raw.length, use8BitMime: !isAscii(raw) };
    const { value, failure } = await step<{ response: string }>((done) => connection.send(envelope, text, done));
    return failure ? { accepted: false, failure } : { accepted: true, response: value?.response ?? '' };
  }

  /** Ends a refused transaction. @returns whether the next message may follow */
  async function reset(): Promise<boolean> {
    return (await step((done) => connection.reset(done))).failure === null;
  }

  /** Sends QUIT and waits briefly for the server. */
  function quit(): Promise<void> {
    if (!alive) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => connection.close(), QUIT_MS);
      connection.once('end', () => {
        clearTimeout(timer);
        resolve();
      });
      connection.quit();
    });
  }

  return {
    /** how far the current step got */
    get phase() {
      return phase;
    },
    get alive() {
      return alive;
    },
    /** messages it has sent or tried to send */
    get sent() {
      return sent;
    },
    open,
    send,
    reset,
    quit,
    /** Ends the connection now; the current step fails as a lost connection. */
    destroy: () => connection.close(),
  };
}

const failureAt = (phase: SmtpPhase, error: Partial<NodemailerError>): SmtpFailure => ({
  phase,
  code: error.originalCode ?? error.code ?? null,
  command: error.command ?? null,
  responseCode: error.responseCode ?? null,
  response: error.response ?? null,
});

/** Hands over a text as fast as the connection takes it. @param onRead called before each piece */
function inPieces(raw: Buffer, onRead: () => void): Readable {
  let at = 0;
  return new Readable({
    read(size) {
      onRead();
      const piece = raw.subarray(at, at + size);
      at += size;
      this.push(piece.length > 0 ? piece : null);
    },
  });
}

type Idle = { session: SmtpSession; timer: NodeJS.Timeout };

/** After a server has refused a connection beyond its limit, the limit grows by one connection per this time. */
const ONE_MORE_MS = 5_000;

/** Opens connections to one server and keeps idle ones for the next message. */
export function smtpConnections(address: SmtpAddress, idleMs: number, socketTimeoutMs: number) {
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
    create(): SmtpSession {
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
